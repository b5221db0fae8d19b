/** Puts the refusals of the file system into words. */

const WORDS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'lies below something that is not a directory',
  EACCES: 'may not be read or written by this user',
  EPERM: 'may not be read or written by this user',
  EISDIR: 'is a directory',
  ELOOP: 'is a symbolic link that leads in a circle',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'has no space left on its disk',
  EROFS: 'lies on a read-only file system',
}

interface SystemProblem {
  code: string
  said: string
}

export const systemProblem = (error: unknown): SystemProblem => {
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
  const name = typeof code === 'string' ? code : ''
  return { code: name, said: WORDS[name] ?? message }
}

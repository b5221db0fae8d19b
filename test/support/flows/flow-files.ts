/** Flow files in memory: a path for each text. */
import { createHash } from 'node:crypto'
import type { FlowFiles, FolderEntry } from '../../../src/service/flows/language/flow-library.ts'

export const memoryFlowFiles = (texts: Readonly<Record<string, string>>): FlowFiles => {
  const paths = Object.keys(texts)
  const folders = new Set(paths.flatMap(path => path.split('/').map((_, at, names) => names.slice(0, at).join('/'))))
  const read = async (path: string) => {
    const text = texts[path]
    if (text === undefined) throw new Error(`no file ${path}`)
    return Buffer.from(text)
  }
  return {
    read,
    digest: async path =>
      createHash('sha256')
        .update(await read(path))
        .digest('hex'),
    kindOf: async path => (texts[path] === undefined ? (folders.has(path) ? 'folder' : undefined) : 'file'),
    list: async folder => {
      const names = new Map<string, FolderEntry['kind']>()
      for (const path of paths.filter(one => one.startsWith(`${folder}/`))) {
        const [name = '', ...rest] = path.slice(folder.length + 1).split('/')
        names.set(name, rest.length === 0 ? 'file' : 'folder')
      }
      return [...names].map(([name, kind]) => ({ name, kind }))
    },
  }
}

/** A flow of these lines below a plain header. */
export const flowText = (...lines: readonly string[]): string => ['appId: com.example', '---', ...lines, ''].join('\n')

/** Finds the adb program, by the variables that Android's own tools honour. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

export interface AdbProgram {
  /** Undefined when there is none. */
  readonly path: string | undefined
  /** The environment that it is started with. */
  readonly env: Readonly<Record<string, string | undefined>>
}

type Variable = 'ADB_PATH' | 'ANDROID_HOME' | 'ANDROID_SDK_ROOT' | 'PATH'
export type ProgramEnvironment = Readonly<Partial<Record<Variable, string | undefined>>>

const isExecutableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A path that is given explicitly counts alone: another adb would be a surprise. */
export const findAdb = (env: ProgramEnvironment, isExecutable = isExecutableFile): string | undefined => {
  if (env.ADB_PATH) return isExecutable(env.ADB_PATH) ? env.ADB_PATH : undefined
  const sdks = [env.ANDROID_HOME, env.ANDROID_SDK_ROOT].filter(sdk => sdk)
  const folders = (env.PATH ?? '').split(':').filter(folder => folder !== '')
  const places = [...sdks.map(sdk => join(sdk ?? '', 'platform-tools')), ...folders]
  return places.map(folder => join(folder, 'adb')).find(isExecutable)
}

/** Programs that some tests need and not every machine has. `SVC_TEST_REQUIRE=adb` makes a missing one a failure. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const programOnPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .map(folder => join(folder, name))
    .find(isExecutable)

const isRequired = (name: string) => (process.env.SVC_TEST_REQUIRE ?? '').split(/[\s,]+/).includes(name)

/** For `describe.skipIf(!needs('adb'))`: says why when it is false. */
export const needs = (name: string): boolean => {
  if (programOnPath(name) !== undefined) return true
  if (isRequired(name)) throw new Error(`${name} is required by SVC_TEST_REQUIRE and is not on the PATH`)
  console.warn(`skipped: ${name} is not on the PATH`)
  return false
}

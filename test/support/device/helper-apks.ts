/** The APKs that the build has put beside the program. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { KEYBOARD_HELPER, SNAPSHOT_HELPER } from '../../../src/device/operators/uiautomator/helper-apks.ts'

export const HELPER_FOLDER = fileURLToPath(new URL('../../../dist/helper', import.meta.url))

export const snapshotApk = () => readFileSync(`${HELPER_FOLDER}/${SNAPSHOT_HELPER.file}`)
export const keyboardApk = () => readFileSync(`${HELPER_FOLDER}/${KEYBOARD_HELPER.file}`)

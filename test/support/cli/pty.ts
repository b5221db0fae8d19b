/** Pseudo-terminals for tests: the project's own package, or the one that SVC_TEST_PTY names. */
import { createRequire } from 'node:module'
import { openPtyFrom } from '../../../src/service/skills/run/pty.ts'

const installed = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('node-pty')
  } catch {
    return process.env.SVC_TEST_PTY
  }
}

const specifier = installed()

/** For `describe.skipIf(!needsPty())`: says why when it is false; SVC_TEST_REQUIRE=node-pty makes that a failure. */
export const needsPty = (): boolean => {
  if (specifier !== undefined) return true
  if ((process.env.SVC_TEST_REQUIRE ?? '').split(/[\s,]+/).includes('node-pty')) {
    throw new Error('node-pty is required by SVC_TEST_REQUIRE and is not installed')
  }
  console.warn('skipped: node-pty is not installed')
  return false
}

export const openTestPty = openPtyFrom(specifier ?? 'node-pty')

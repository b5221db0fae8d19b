import { expect, test } from 'vitest'
import { foregroundPackageIn } from '../../../src/operator/shell/driver.ts'

const MEGABYTES = 2 * 1_024 * 1_024

test.each(['mCurrentFocus=Window{', 'mCurrentFocus=Window{a u0 ', 'mFocusedApp=', 'mFocusedApp=ActivityRecord{a u0 '])(
  'megabytes of %j are read in time',
  piece => expect(foregroundPackageIn(piece.repeat(MEGABYTES / piece.length))).toBe(''),
)

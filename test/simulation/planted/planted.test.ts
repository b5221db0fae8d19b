/** Planted defects keep up with the sources: the line that each of them replaces is there, once. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PLANTED } from './all-planted.ts'
import { withReplacement } from './planted-bundle.ts'

test.each(PLANTED)('$name: its line is in $file', planted => {
  const text = readFileSync(planted.file, 'utf8')
  expect(withReplacement(text, planted)).not.toBe(text)
})

test('a line that is absent, or there twice, is refused', () => {
  const replacement = { file: 'a.ts', from: 'b', to: 'c' }
  expect(() => withReplacement('a', replacement)).toThrow('a.ts has 0 places of "b", and must have one')
  expect(() => withReplacement('bab', replacement)).toThrow('a.ts has 2 places of "b", and must have one')
})

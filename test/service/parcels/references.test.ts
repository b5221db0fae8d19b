/** References to files that came from another machine. */
import { expect, test } from 'vitest'
import { readReference, writeReference } from '../../../src/service/parcels/references.ts'

const digest = 'ab'.repeat(32)

test.each(['app.apk', 'a b:c%20.apk', 'ü "$(reboot)".txt', '..a'])('the name %j travels', name => {
  const reference = { kind: 'file', digest, name } as const
  expect(readReference(writeReference(reference))).toEqual(reference)
})

test.each([
  '/data/local/tmp/x',
  'parcel:file',
  `parcel:link:${digest}:a`,
  `parcel:file:${digest.slice(1)}:a`,
  `parcel:file:${digest}:`,
  `parcel:file:${digest}:..`,
  `parcel:file:${digest}:a%2Fb`,
  `parcel:file:${digest}:%ff`,
  `parcel:file:${digest}:a:b`,
  `other:file:${digest}:a`,
])('%j is no reference', path => {
  expect(readReference(path)).toBeUndefined()
})

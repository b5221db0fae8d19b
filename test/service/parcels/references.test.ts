/** References to files that came from another machine. */
import { expect, test } from 'vitest'
import { readReference, writeReference } from '../../../src/service/parcels/references.ts'

const digest = 'ab'.repeat(32)

test.each(['app.apk', 'a b:c%20.apk', 'ü "$(reboot)".txt', '..a', 'back\\slash'])('the name %j travels', name => {
  const reference = { kind: 'file', digest, mode: 0o755, mtime: -1, name } as const
  expect(readReference(writeReference(reference))).toEqual(reference)
})

test.each([
  '/data/local/tmp/x',
  'parcel:file',
  `parcel:link:${digest}:644:0:a`,
  `parcel:file:${digest.slice(1)}:644:0:a`,
  `parcel:file:${digest}:644:0:`,
  `parcel:file:${digest}:888:0:a`,
  `parcel:file:${digest}:644:x:a`,
  `parcel:file:${digest}:644:0:..`,
  `parcel:file:${digest}:644:0:a%2Fb`,
  `parcel:file:${digest}:644:0:%ff`,
  `parcel:file:${digest}:644:0:a:b`,
  `other:file:${digest}:644:0:a`,
])('%j is no reference', path => {
  expect(readReference(path)).toBeUndefined()
})

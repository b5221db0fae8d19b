import { expect, test } from 'vitest'
import { FilesQuery } from '../../../src/contracts/device/device-files.ts'
import { readQuery } from '../../../src/surfaces/http/request-input.ts'

test('a parameter that is missing is named in a clean sentence', () => {
  const read = readQuery('/devices/x/files', FilesQuery)
  expect(read).toMatchObject({
    ok: false,
    error: { code: 'INVALID_QUERY', message: 'The query parameter "path" is required.' },
  })
})

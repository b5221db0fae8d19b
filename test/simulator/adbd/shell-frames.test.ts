import { AdbShellProtocolPacket } from '@yume-chan/adb'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellFrames } from '../../../src/simulator/adbd/shell-service.ts'

const frame = fc.record({
  id: fc.constantFrom(0 as const, 4 as const, 5 as const),
  data: fc.uint8Array({ maxLength: 50 }),
})

test('gives every frame its bytes however they are cut', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 20 })), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(one => AdbShellProtocolPacket.serialize(one)))
      const reader = shellFrames()
      const parts: { id: number; hex: string }[] = []
      let at = 0
      for (const cut of [...cuts, bytes.length]) {
        for (const { id, data } of reader.push(bytes.subarray(at, at + cut))) {
          parts.push({ id, hex: Buffer.from(data).toString('hex') })
        }
        at += cut
      }
      const joined = (id: number, rows: readonly { id: number; hex: string }[]) =>
        rows
          .filter(row => row.id === id)
          .map(row => row.hex)
          .join('')
      const wanted = frames.map(({ id, data }) => ({ id, hex: Buffer.from(data).toString('hex') }))
      for (const id of [0, 4, 5]) expect(joined(id, parts)).toBe(joined(id, wanted))
      const empty = (rows: readonly { hex: string }[]) => rows.filter(({ hex }) => hex === '').length
      expect(empty(parts)).toBe(empty(wanted))
    }),
  )
})

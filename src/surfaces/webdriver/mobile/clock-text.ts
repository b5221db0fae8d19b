/** The time of a device in a format of its parts, as moment.js names them. */
import { invalid } from '../protocol/arguments.ts'

export const DEFAULT_CLOCK_FORMAT = 'YYYY-MM-DDTHH:mm:ssZ'

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([+-]\d\d)(\d\d)$/
const PARTS = ['YYYY', 'MM', 'DD', 'HH', 'mm', 'ss', 'ZZ', 'Z'] as const
const PART = /\[([^\]]*)\]|YYYY|MM|DD|HH|mm|ss|ZZ|Z|T|[A-Za-z]+/g

/** `time` as the device says it: 2026-01-31T12:00:00+0100. Throws `invalid argument` for another part. */
export const clockText = (time: string, format: string): string => {
  const [, YYYY, MM, DD, HH, mm, ss, hours, minutes] = TIME.exec(time) ?? []
  const values: Readonly<Record<string, string | undefined>> = {
    ...{ YYYY, MM, DD, HH, mm, ss, T: 'T' },
    ...{ Z: `${hours}:${minutes}`, ZZ: `${hours}${minutes}` },
  }
  return format.replace(PART, (part, literal: string | undefined) => {
    const value = literal ?? values[part]
    if (value !== undefined) return value
    throw invalid(`The format of mobile: getDeviceTime has ${part}. It knows ${PARTS.join(', ')}, and text in [ ].`)
  })
}

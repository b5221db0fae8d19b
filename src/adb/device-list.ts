/** The listing of the adb server: one line per device, serial and state. */
import type { DeviceRecord } from '../contracts/device.ts'

/** `no permissions (user in plugdev group; ...); see [http://...]` is advice behind a state. */
const stateOf = (text: string): string => text.replace(/\s*[(;].*$/, '').trim()

/** The answer to `host:devices`; that of `host:devices-l` has blanks inside its fields and cannot be split safely. */
export const parseDeviceList = (text: string): DeviceRecord[] =>
  text.split('\n').flatMap(line => {
    const tab = line.indexOf('\t')
    return tab < 1 ? [] : [{ serial: line.slice(0, tab), state: stateOf(line.slice(tab + 1)) }]
  })

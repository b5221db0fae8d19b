/** The address of a device as commands take it. */
import { hostAndPort, withPort } from '../../../contracts/device/addresses.ts'
import { usage } from '../command.ts'

/** With the port of adb where none is given. */
export const deviceAddress = (text: string): string => {
  const address = withPort(text.trim())
  if (hostAndPort(address)) return address
  throw usage(`"${text}" is not an address: host, host:port or [IPv6 address]:port.`)
}

/** The port of a pairing is a new one each time, so it must be given. */
export const pairingAddress = (text: string): string => {
  if (hostAndPort(text.trim())) return text.trim()
  throw usage(`"${text}" is not host:port.`, {
    hint: 'The phone shows both under Developer options, Wireless debugging, Pair device with pairing code.',
  })
}

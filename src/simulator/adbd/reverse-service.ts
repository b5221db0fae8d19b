/** `reverse:`: keeps the list of reverse forwards. No app of the simulated phone connects to one. */
import type { Service } from './stream.ts'

const FIRST_PORT = 40_000
const FORWARDS_MAX = 1_024

const hex4 = (text: string) => `${Buffer.byteLength(text).toString(16).padStart(4, '0')}${text}`
const failed = (message: string) => `FAIL${hex4(message)}`

export const createReverse = (): ((request: string) => Service) => {
  const forwards = new Map<string, string>()
  let nextPort = FIRST_PORT

  const add = (request: string): string => {
    const [, norebind, device = '', host = ''] = /^(norebind:)?([^;]+);(.+)$/s.exec(request) ?? []
    if (device === '' || host === '') return failed('bad forward')
    if (norebind && forwards.has(device)) return failed('cannot rebind existing socket')
    if (forwards.size >= FORWARDS_MAX) return failed('too many forwards')
    const chosen = device === 'tcp:0' ? `tcp:${nextPort++}` : device
    forwards.set(chosen, host)
    return device === 'tcp:0' ? `OKAY${hex4(chosen.slice('tcp:'.length))}` : 'OKAY'
  }

  const answer = (request: string): string => {
    if (request === 'list-forward') {
      return hex4([...forwards].map(([device, host]) => `UsbFfs ${device} ${host}\n`).join(''))
    }
    if (request === 'killforward-all') {
      forwards.clear()
      return 'OKAY'
    }
    if (request.startsWith('killforward:')) {
      const name = request.slice('killforward:'.length)
      return forwards.delete(name) ? 'OKAY' : failed(`listener '${name}' not found`)
    }
    return request.startsWith('forward:') ? add(request.slice('forward:'.length)) : failed('unknown request')
  }

  return request => stream => stream.write(Buffer.from(answer(request)))
}

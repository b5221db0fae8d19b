/** A device spoken to over TCP with no adb installed: all services share one connection. */

import type { HostPort } from '../../contracts/device/addresses.ts'
import { SERVICE_STRING_BYTES_MAX } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { type AuthListener, createAuthentication, type Keyring } from './adb-key.ts'
import { bounded, deferred, onAbort } from './bounded.ts'
import { connectSocket } from './byte-socket.ts'
import { directStreams } from './direct-streams.ts'
import { LinkError } from './link.ts'
import { type LinkLimits, PAYLOAD_BYTES_MIN } from './link-limits.ts'
import { COMMAND, checksumOf, EMPTY_PAYLOAD, PAYLOAD_BYTES_MAX, type Packet, packetSocket } from './packet.ts'
import { createLoss, type Loss, type Service, type Transport } from './transport.ts'

interface DirectTransportOptions {
  serial: string
  address: HostPort
  keyring: Keyring
  clock: Clock
  limits: Pick<LinkLimits, 'connectMs' | 'handshakeMs' | 'authorizeMs' | 'aliveMs'>
  onStage: AuthListener
}

interface DirectTransport extends Transport {
  /** The state that the device reports: `device`, `recovery`, ... */
  readonly state: string
}

/** No more than is used. `delayed_ack` would let a device send 32 MB that nobody has asked for. */
const FEATURES = ['shell_v2', 'cmd', 'stat_v2', 'ls_v2', 'fixed_push_mkdir']
/** From this version on, packets carry no sums and names of services no NUL. */
const VERSION = 0x01000001
const KEEP_ALIVE_MS = 10_000
const ANY_SERVICE = 'sync:'
const UNKNOWN_BANNER = 'host'
/** `device`, `recovery`, `sideload`, ... */
const BANNER = /^[a-z]{1,32}$/

const offline = (serial: string, why: string, cause?: unknown) =>
  new LinkError('DEVICE_OFFLINE', `device ${serial} ${why}`, { cause })

const connectDevice = async ({ serial, address, clock, limits }: DirectTransportOptions, stop: AbortSignal) => {
  const why = `does not accept a connection within ${limits.connectMs} ms`
  const bounds = {
    clock,
    what: `connecting to ${serial}`,
    deadline: clock.now() + limits.connectMs,
    signal: stop,
    timeout: () => offline(serial, why),
  }
  try {
    return await bounded(bounds, until => connectSocket(address, until, clock))
  } catch (error) {
    throw error instanceof LinkError ? error : offline(serial, `cannot be reached: ${messageOf(error)}`, error)
  }
}

/** Values of the banner, such as `device::ro.product.name=x;features=shell_v2,cmd`. */
const readBanner = (payload: Uint8Array) => {
  const [state = '', properties = ''] = Buffer.from(payload).toString().replace(/\0.*$/s, '').split('::')
  const features = /(?:^|;)features=([^;=]*)(?:;|$)/.exec(properties)?.[1]?.split(',') ?? []
  return { state: BANNER.test(state.trim()) ? state.trim() : UNKNOWN_BANNER, features }
}

interface Introduction extends ReturnType<typeof readBanner> {
  /** The version of the protocol that both sides speak. */
  version: number
  payloadBytesMax: number
}

const introductionOf = ({ arg0, arg1, payload }: Packet): Introduction => ({
  version: Math.min(VERSION, arg0),
  payloadBytesMax: Math.min(PAYLOAD_BYTES_MAX, arg1),
  ...readBanner(payload),
})

/** A device says nothing while it waits for a person, so silence has two meanings and two limits. */
const createHandshake = (options: DirectTransportOptions, send: (packet: Packet) => void, stop: AbortSignal) => {
  const { serial, keyring, clock, limits } = options
  const { promise, resolve, reject } = deferred<Introduction>()
  let isAsked = false
  let isOver = false
  const finish = () => {
    isOver = true
    timer.cancel()
  }
  const fail = (error: unknown) => {
    finish()
    reject(error)
  }
  const refused = (why: string, cause?: unknown) =>
    isAsked
      ? new LinkError('DEVICE_UNAUTHORIZED', `device ${serial} has not allowed this host to debug it`, { cause })
      : offline(serial, why, cause)
  const onSilence = () => fail(refused(`accepts connections but sends nothing for ${limits.handshakeMs} ms`))
  const onEnd = (error: unknown) =>
    fail(error instanceof LinkError ? error : refused(`ends the connection: ${messageOf(error)}`, error))
  let timer = clock.at(clock.now() + limits.handshakeMs, onSilence)
  const forget = onAbort(stop, () => fail(stop.reason))
  promise.then(forget, forget)
  const authenticate = createAuthentication(keyring, stage => {
    if (isOver) return
    options.onStage(stage)
    isAsked = true
    timer.cancel()
    timer = clock.at(clock.now() + limits.authorizeMs, onSilence)
  })
  const answer = async ({ arg0, payload }: Packet) => {
    const { type, ...answered } = await authenticate(arg0, payload)
    if (!isOver) send({ command: COMMAND.AUTH, arg0: type, arg1: 0, ...answered })
  }
  const payload = Buffer.from(`host::features=${FEATURES.join(',')}`)
  send({ command: COMMAND.CNXN, arg0: VERSION, arg1: PAYLOAD_BYTES_MAX, payload })
  return {
    introduction: promise,
    /** Other packets are left over from an earlier connection. */
    receive(packet: Packet) {
      if (isOver) return
      if (packet.command === COMMAND.AUTH) answer(packet).catch(onEnd)
      if (packet.command !== COMMAND.CNXN) return
      finish()
      resolve(introductionOf(packet))
    },
    end: (error?: Error) => onEnd(error ?? new Error('Connection closed unexpectedly')),
  }
}

export const openDirectTransport = async (
  options: DirectTransportOptions,
  stop: AbortSignal,
): Promise<DirectTransport> => {
  const socket = await connectDevice(options, stop)
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  const loss = createLoss()
  const what = `device ${options.serial}`
  let ended: Error | undefined
  let receive = (packet: Packet) => handshake.receive(packet)
  const { send, delayAcknowledgements } = packetSocket(socket, {
    clock: options.clock,
    onPacket: packet => receive(packet),
    onEnd: error => {
      ended ??= error
      loss.lose(`${what} ended the connection${error ? `: ${error.message}` : ''}`, error)
      handshake.end(error)
    },
  })
  onAbort(loss.signal, () => socket.destroy())
  // Before both sides know their versions, every packet carries its sum.
  const handshake = createHandshake(options, packet => send(packet, checksumOf(packet.payload)), stop)
  try {
    const introduction = await handshake.introduction
    const { payloadBytesMax, version } = introduction
    if (payloadBytesMax < PAYLOAD_BYTES_MIN)
      throw offline(options.serial, `takes packets of ${payloadBytesMax} bytes only`)
    const isOld = version < VERSION
    const streams = directStreams({
      payloadBytesMax,
      isTerminated: isOld,
      output: {
        send: (command, arg0, arg1, payload = EMPTY_PAYLOAD) =>
          send({ command, arg0, arg1, payload }, isOld ? checksumOf(payload) : 0),
        delayAcknowledgements,
      },
    })
    receive = streams.receive
    onAbort(loss.signal, streams.end)
    return createDirectTransport(options, introduction, streams, loss)
  } catch (error) {
    loss.close()
    throw error instanceof LinkError && ended && error.code === 'DEVICE_OFFLINE'
      ? offline(options.serial, `is not usable: ${ended.message}`, ended)
      : error
  }
}

const createDirectTransport = (
  { serial, clock, limits }: DirectTransportOptions,
  { features, state, payloadBytesMax }: Introduction,
  { open: openStream, accept }: ReturnType<typeof directStreams>,
  loss: Loss,
): DirectTransport => {
  const what = `device ${serial}`
  const openService = async (service: string, stop: AbortSignal): Promise<Service> => {
    const opened = await openStream(service)
    if (stop.aborted) opened.close()
    return opened
  }
  const open: Transport['open'] = (service, stop) =>
    openService(service, stop).catch((error: unknown) => {
      throw loss.signal.aborted
        ? loss.signal.reason
        : new LinkError('LINK_SOCKET_REFUSED', `${what}: ${messageOf(error)}`)
    })

  /** A device that refuses is there all the same. */
  const look = async () => {
    const bounds = { clock, what, deadline: clock.now() + limits.aliveMs, lost: loss.signal }
    try {
      const service = await bounded(bounds, stop => open(ANY_SERVICE, stop))
      service.close()
    } catch (error) {
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT')
        loss.lose(`${what} has not answered for ${limits.aliveMs} ms`, error)
    }
  }
  let looking: Promise<void> | undefined

  return {
    features,
    state,
    serviceBytesMax: Math.min(SERVICE_STRING_BYTES_MAX, payloadBytesMax - 1),
    lost: loss.signal,
    open,
    accept,
    probe() {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    async close() {
      loss.close()
    },
  }
}

/** A device spoken to over TCP with no adb installed: all services share one connection. */
import { AdbDaemonTransport, AdbFeature, type AdbSocket } from '@yume-chan/adb'
import { SERVICE_STRING_BYTES_MAX } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { messageOf } from '../runtime/message-of.ts'
import { type AuthListener, type AuthStage, authenticators, type Keyring } from './adb-key.ts'
import type { HostPort } from './addresses.ts'
import { bounded, onAbort } from './bounded.ts'
import { connectSocket } from './byte-socket.ts'
import { LinkError } from './link.ts'
import { type LinkLimits, PAYLOAD_BYTES_MIN } from './link-limits.ts'
import { packetStreams } from './packet.ts'
import { createLoss, type Loss, type Service, serviceOf, type Transport } from './transport.ts'

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
const FEATURES = [AdbFeature.ShellV2, AdbFeature.Cmd, AdbFeature.StatV2, AdbFeature.ListV2, AdbFeature.FixedPushMkdir]
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

/** A device says nothing while it waits for a person, so silence has two meanings and two limits. */
const handshake = (
  options: DirectTransportOptions,
  connection: ReturnType<typeof packetStreams>,
  stop: AbortSignal,
) => {
  const { serial, keyring, clock, limits } = options
  return new Promise<AdbDaemonTransport>((resolve, reject) => {
    let isAsked = false
    let isOver = false
    const finish = () => {
      isOver = true
      timer.cancel()
    }
    const fail = (error: LinkError) => {
      finish()
      reject(error)
    }
    const refused = (why: string, cause?: unknown) =>
      isAsked
        ? new LinkError('DEVICE_UNAUTHORIZED', `device ${serial} has not allowed this host to debug it`, { cause })
        : offline(serial, why, cause)
    const onSilence = () => fail(refused(`accepts connections but sends nothing for ${limits.handshakeMs} ms`))
    let timer = clock.at(clock.now() + limits.handshakeMs, onSilence)
    const onStage = (stage: AuthStage) => {
      if (isOver) return
      options.onStage(stage)
      isAsked = true
      timer.cancel()
      timer = clock.at(clock.now() + limits.authorizeMs, onSilence)
    }
    const forget = onAbort(stop, () => fail(stop.reason))
    AdbDaemonTransport.authenticate({
      serial,
      connection,
      features: FEATURES,
      initialDelayedAckBytes: 0,
      authenticators: authenticators(keyring, onStage),
      credentialStore: {
        generateKey: () => Promise.reject(new Error('keys come from the keyring')),
        iterateKeys: () => [],
      },
    })
      .then(
        transport => {
          finish()
          resolve(transport)
        },
        (error: unknown) =>
          fail(error instanceof LinkError ? error : refused(`ends the connection: ${messageOf(error)}`, error)),
      )
      .finally(forget)
  })
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
  const streams = packetStreams(socket, error => {
    ended ??= error
    loss.lose(`${what} ended the connection${error ? `: ${error.message}` : ''}`, error)
  })
  onAbort(loss.signal, () => socket.destroy())
  try {
    const daemon = await handshake(options, streams, stop)
    if (daemon.maxPayloadSize < PAYLOAD_BYTES_MIN)
      throw offline(options.serial, `takes packets of ${daemon.maxPayloadSize} bytes only`)
    daemon.disconnected.catch((error: unknown) => loss.lose(`${what}: ${messageOf(error)}`, error))
    return createDirectTransport(options, daemon, loss)
  } catch (error) {
    loss.close()
    throw error instanceof LinkError && ended && error.code === 'DEVICE_OFFLINE'
      ? offline(options.serial, `is not usable: ${ended.message}`, ended)
      : error
  }
}

const createDirectTransport = (
  { serial, clock, limits }: DirectTransportOptions,
  daemon: AdbDaemonTransport,
  loss: Loss,
): DirectTransport => {
  const what = `device ${serial}`
  const openService = async (service: string, stop: AbortSignal): Promise<Service> => {
    const socket: AdbSocket = await daemon.connect(service)
    const opened = serviceOf(socket)
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
    features: daemon.banner.features,
    state: BANNER.test(daemon.banner.state ?? '') ? `${daemon.banner.state}` : UNKNOWN_BANNER,
    serviceBytesMax: Math.min(SERVICE_STRING_BYTES_MAX, daemon.maxPayloadSize - 1),
    lost: loss.signal,
    open,
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

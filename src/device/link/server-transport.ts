/** A device over the adb server: each service is a connection of its own to the server. */
import { SERVICE_STRING_BYTES_MAX } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { type AdbServer, answerTo, type Connect, converse, serverError } from './adb-server.ts'
import { bounded, onAbort } from './bounded.ts'
import type { LinkLimits } from './link-limits.ts'
import { createLoss, type Service, type Transport } from './transport.ts'

interface ServerTransportOptions {
  server: AdbServer
  serial: string
  clock: Clock
  limits: Pick<LinkLimits, 'aliveMs'>
}

const TRANSPORT_ID_BYTES = 8
const NOT_THERE = ['offline', 'unauthorized', 'unknown']

/** One connection: the serial becomes a transport id, and the device says what it can do. */
const introduce = async (connect: Connect, serial: string, stop: AbortSignal) => {
  const stream = await connect(`host:tport:serial:${serial}`, stop)
  return converse(stream, stop, async () => {
    const id = (await stream.readExactly(TRANSPORT_ID_BYTES)).readBigUInt64LE()
    await stream.writeString('host:features')
    await stream.readOkay()
    const features = (await stream.readString()).split(',')
    stream.close()
    return { id, features }
  })
}

export const openServerTransport = async (options: ServerTransportOptions, stop: AbortSignal): Promise<Transport> => {
  const { server, serial } = options
  const { id, features } = await server.talk(`device ${serial}`, connect => introduce(connect, serial, stop))
  return createServerTransport(options, id, features)
}

const createServerTransport = (options: ServerTransportOptions, id: bigint, features: readonly string[]): Transport => {
  const { connect } = options.server
  const { clock, limits } = options
  const what = `device ${options.serial}`
  const loss = createLoss()
  const ofDevice = (request: string) => `host-transport-id:${id}:${request}`
  const services = new Set<Service>()
  const watching = new AbortController()
  onAbort(loss.signal, () => {
    watching.abort(loss.signal.reason)
    for (const service of services) service.close()
  })

  const watch = async () => {
    const stream = await connect(ofDevice('wait-for-any-disconnect'), watching.signal, { idle: true })
    await converse(stream, watching.signal, () => stream.readOkay())
    stream.close()
  }
  watch().then(
    () => loss.lose(`${what} has left the adb server`),
    error => loss.lose(`the adb server has lost ${what}: ${messageOf(error)}`, error),
  )

  const look = async () => {
    const bounds = { clock, what, deadline: clock.now() + limits.aliveMs, lost: loss.signal }
    try {
      const state = await bounded(bounds, stop => answerTo(connect, ofDevice('get-state'), stop))
      if (NOT_THERE.includes(state)) loss.lose(`${what} is ${state}`)
    } catch (error) {
      loss.lose(`the adb server has lost ${what}: ${messageOf(error)}`, error)
    }
  }
  let looking: Promise<void> | undefined
  const probe = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  const openService = async (service: string, stop: AbortSignal): Promise<Service> => {
    const stream = await connect(`host:transport-id:${id}`, stop)
    await converse(stream, stop, async () => {
      await stream.writeString(service)
      await stream.readOkay()
    })
    const opened = stream.service(() => services.delete(opened))
    services.add(opened)
    if (stop.aborted) opened.close()
    return opened
  }

  return {
    features,
    serviceBytesMax: SERVICE_STRING_BYTES_MAX,
    lost: loss.signal,
    open: (service, stop) =>
      openService(service, stop).catch(async (error: unknown) => {
        const refusal = serverError(error, what, 'LINK_SOCKET_REFUSED')
        if (stop.aborted) throw refusal
        // A device that goes away in this moment is reported as a service that was closed.
        if (refusal.code === 'LINK_SOCKET_REFUSED') await probe()
        else loss.lose(refusal.message, error)
        throw loss.signal.aborted ? loss.signal.reason : refusal
      }),
    probe,
    async close() {
      loss.close()
    },
  }
}

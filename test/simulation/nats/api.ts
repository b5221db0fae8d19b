/** JetStream of simulated NATS servers: what is asked of it on subjects, and how it answers. */
import { covers, overlap } from '../../../src/fleet/servers/subjects.ts'
import { createStream, type HeaderList, isRefusal, type Message, type Refusal, type Stream } from './streams.ts'

/** A message on its way; `status` is that of an answer of the servers themselves. */
export interface Wired {
  subject: string
  data: Uint8Array
  headers: HeaderList
  reply?: string
  status?: { code: number; description: string }
}

export type Answer = Pick<Wired, 'data' | 'headers' | 'status'>

/** True for what a leader decides: nobody answers it while there is none. */
const NEEDS_LEADER = /^\$JS\.API\.(INFO|STREAM\.)/

const CREATE = '$JS.API.STREAM.CREATE.'
const INFO = '$JS.API.STREAM.INFO.'
const READ = '$JS.API.STREAM.MSG.GET.'
const DIRECT = '$JS.API.DIRECT.GET.'
const ACCOUNT = '$JS.API.INFO'
const EMPTY = new Uint8Array()

const textOf = (data: Uint8Array) => Buffer.from(data).toString()
const json = (value: object): Answer => ({ data: Buffer.from(JSON.stringify(value)), headers: [] })
const refused = (type: string, error: Refusal): Answer => json({ type: `io.nats.jetstream.api.v1.${type}`, error })
const status = (code: number, description: string, headers: HeaderList = []): Answer => ({
  data: EMPTY,
  headers,
  status: { code, description },
})
const timeOf = (at: number) => new Date(at).toISOString()

const STREAM_MISSING: Refusal = { code: 404, err_code: 10059, description: 'stream not found' }
const MESSAGE_MISSING: Refusal = { code: 404, err_code: 10037, description: 'no message found' }
const NAME_IN_USE: Refusal = {
  code: 400,
  err_code: 10058,
  description: 'stream name already in use with a different configuration',
}
const SUBJECTS_OVERLAP: Refusal = {
  code: 400,
  err_code: 10065,
  description: 'subjects overlap with an existing stream',
}

const directHeaders = (stream: string, { subject, seq, at, headers }: Message): [string, string][] => [
  ...(headers as [string, string][]),
  ['Nats-Stream', stream],
  ['Nats-Subject', subject],
  ['Nats-Sequence', String(seq)],
  ['Nats-Time-Stamp', timeOf(at)],
]

const headerBlock = (headers: HeaderList): string =>
  Buffer.from(`NATS/1.0\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`).toString('base64')

interface ReadRequest {
  seq?: number
  last_by_subj?: string
  next_by_subj?: string
  batch?: number
  max_bytes?: number
}

export const createJetStream = (now: () => number) => {
  const streams = new Map<string, Stream>()

  const streamOf = (subject: string): Stream | undefined =>
    [...streams.values()].find(({ config }) => config.subjects.some(pattern => covers(pattern, subject)))

  const infoOf = ({ config, created, state }: Stream, type: string, filter?: string): Answer => {
    const { messages, bytes, first, last, subjects } = state()
    const wanted = [...subjects].filter(([subject]) => filter !== undefined && covers(filter, subject))
    return json({
      type: `io.nats.jetstream.api.v1.${type}`,
      ...(filter === undefined ? {} : { total: wanted.length, offset: 0, limit: 100_000 }),
      config,
      created: timeOf(created),
      state: {
        messages,
        bytes,
        first_seq: first,
        last_seq: last,
        num_subjects: subjects.size,
        consumer_count: 0,
        ...(wanted.length > 0 ? { subjects: Object.fromEntries(wanted) } : {}),
      },
      cluster: { leader: 'nats', replicas: [] },
      ts: timeOf(now()),
    })
  }

  const create = (asked: Stream['config']): Answer => {
    const known = streams.get(asked.name)
    const config = { retention: 'limits', storage: 'file', num_replicas: 1, allow_direct: false, ...asked }
    if (known) {
      const isSame = JSON.stringify(known.config) === JSON.stringify(config)
      return isSame ? infoOf(known, 'stream_create_response') : refused('stream_create_response', NAME_IN_USE)
    }
    const others = [...streams.values()].flatMap(one => one.config.subjects)
    if (asked.subjects.some(subject => others.some(other => overlap(subject, other))))
      return refused('stream_create_response', SUBJECTS_OVERLAP)
    const stream = createStream(config, now)
    streams.set(asked.name, stream)
    return infoOf(stream, 'stream_create_response')
  }

  const read = (stream: Stream, asked: ReadRequest): Answer => {
    const { seq, last_by_subj: subject } = asked
    const found = subject === undefined ? stream.at(seq ?? 0) : stream.last(subject)
    if (!found) return refused('stream_msg_get_response', MESSAGE_MISSING)
    return json({
      type: 'io.nats.jetstream.api.v1.stream_msg_get_response',
      message: {
        subject: found.subject,
        seq: found.seq,
        ...(found.headers.length > 0 ? { hdrs: headerBlock(found.headers) } : {}),
        data: Buffer.from(found.data).toString('base64'),
        time: timeOf(found.at),
      },
    })
  }

  const directOne = (stream: Stream, found: Message | undefined): Answer[] =>
    found
      ? [{ data: found.data, headers: directHeaders(stream.config.name, found) }]
      : [status(404, 'Message Not Found')]

  const directBatch = (stream: Stream, asked: ReadRequest, asOf: number): Answer[] => {
    const { seq = 1, next_by_subj: pattern = '>', batch = 1, max_bytes: most = Number.POSITIVE_INFINITY } = asked
    const found = stream.from(seq, pattern, asOf)
    if (found.length === 0) return [status(404, 'Message Not Found')]
    const answers: Answer[] = []
    let bytes = 0
    let before = 0
    for (const [index, message] of found.entries()) {
      if (answers.length >= batch || (answers.length > 0 && bytes + message.data.length > most)) break
      bytes += message.data.length
      const pending = found.length - index - 1
      const own = [
        ['Nats-Num-Pending', String(pending)],
        ['Nats-Last-Sequence', String(before)],
      ] as const
      answers.push({ data: message.data, headers: [...directHeaders(stream.config.name, message), ...own] })
      before = message.seq
    }
    const left = found.length - answers.length
    return [
      ...answers,
      status(204, 'EOB', [
        ['Nats-Num-Pending', String(left)],
        ['Nats-Last-Sequence', String(before)],
      ]),
    ]
  }

  const direct = (path: string, data: Uint8Array, asOf: number): Answer[] | undefined => {
    const [name = '', ...rest] = path.split('.')
    const stream = streams.get(name)
    if (stream?.config.allow_direct !== true) return undefined
    if (rest.length > 0) return directOne(stream, stream.last(rest.join('.'), asOf))
    if (data.length === 0) return [status(408, 'Empty Request')]
    const asked = JSON.parse(textOf(data)) as ReadRequest
    if (asked.last_by_subj !== undefined) return directOne(stream, stream.last(asked.last_by_subj, asOf))
    if (asked.next_by_subj === undefined) return directOne(stream, stream.at(asked.seq ?? 0, asOf))
    return asked.batch === undefined
      ? directOne(stream, stream.from(asked.seq ?? 1, asked.next_by_subj, asOf)[0])
      : directBatch(stream, asked, asOf)
  }

  return {
    needsLeader: (subject: string): boolean => NEEDS_LEADER.test(subject) || streamOf(subject) !== undefined,
    /** The stream that stores messages of a subject. */
    streamOf,
    /** Stores a message; an acknowledgement for its sender. */
    store(stream: Stream, { subject, data, headers }: Wired): Answer {
      const stored = stream.store(subject, data, headers)
      const { name } = stream.config
      return json(isRefusal(stored) ? { error: stored, stream: name, seq: 0 } : { stream: name, ...stored })
    },
    /** Undefined when nobody listens on that subject. Direct reads are those of `asOf`. */
    answers({ subject, data }: Wired, asOf: number): Answer[] | undefined {
      if (subject === ACCOUNT) {
        const limits = { max_memory: -1, max_storage: -1, max_streams: -1, max_consumers: -1 }
        const type = 'io.nats.jetstream.api.v1.account_info_response'
        return [json({ type, memory: 0, storage: 0, streams: streams.size, consumers: 0, limits, api: { total: 0 } })]
      }
      if (subject.startsWith(CREATE)) return [create(JSON.parse(textOf(data)) as Stream['config'])]
      if (subject.startsWith(DIRECT)) return direct(subject.slice(DIRECT.length), data, asOf)
      if (subject.startsWith(INFO)) {
        const stream = streams.get(subject.slice(INFO.length))
        if (!stream) return [refused('stream_info_response', STREAM_MISSING)]
        const { subjects_filter: filter } = (data.length > 0 ? JSON.parse(textOf(data)) : {}) as {
          subjects_filter?: string
        }
        return [infoOf(stream, 'stream_info_response', filter)]
      }
      if (subject.startsWith(READ)) {
        const stream = streams.get(subject.slice(READ.length))
        if (!stream) return [refused('stream_msg_get_response', STREAM_MISSING)]
        return [read(stream, JSON.parse(textOf(data)) as ReadRequest)]
      }
      return undefined
    },
    /** All that was stored is gone. */
    loseAll: () => streams.clear(),
  }
}

export type JetStream = ReturnType<typeof createJetStream>

/**
 * The process in which the scripts of one flow run, a bundle of its own. It reads a message, answers it and waits for the
 * next one; everything blocks, as the calls of scripts do. It ends when its host closes the pipe.
 *
 * A process and not a thread: V8 ends a whole process when one allocation exceeds the heap of one of its threads.
 */

import { readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { systemClock } from '../../../../runtime/clock.ts'
import { createFrameReader, encodeFrame, type Frame } from '../frames.ts'
import type { EvaluationTask, FromScripts, ResponseMessage } from '../messages.ts'
import type { createInterceptors, createRealm } from '../realm/realm.ts'
import type { RealmHost } from '../realm/realm-host.ts'
import { lockDown, setInterceptors } from './lock-process.ts'
import { createReadings, type Readings } from './readings.ts'

// A syntax error does not tell its place.

const STRICT = '"use strict";'
const FILE = 'source'

/** The problem is JSON with line and column; empty where the source can be compiled. Compiling runs nothing. */
const syntaxProblem = (source: string): string => {
  try {
    new Script(STRICT + source, { filename: FILE })
    return ''
  } catch (error) {
    // Above the stack stand the place, the line of the source, and a mark below the column.
    const [place = '', , mark = ''] = String((error as Error).stack).split('\n')
    const line = Number(place.slice(FILE.length + 1))
    if (!Number.isInteger(line) || line < 1) return '{}'
    const column = mark.indexOf('^') + 1 - (line === 1 ? STRICT.length : 0)
    return JSON.stringify({ line, ...(column > 0 ? { column } : {}) })
  }
}

const [STDIN, STDOUT, STDERR] = [0, 1, 2]
const CHUNK_BYTES = 64 * 1_024

const createChannel = () => {
  const read = createFrameReader()
  const waiting: Frame[] = []
  const chunk = Buffer.alloc(CHUNK_BYTES)
  return {
    /** Undefined when the host is gone. */
    next(): Frame | undefined {
      while (waiting.length === 0) {
        const length = readSync(STDIN, chunk)
        if (length === 0) return undefined
        waiting.push(...read(Buffer.from(chunk.subarray(0, length))))
      }
      return waiting.shift()
    },
    send(head: FromScripts, body?: string): void {
      const bytes = encodeFrame(head, body)
      for (let at = 0; at < bytes.length; ) at += writeSync(STDOUT, bytes, at)
    },
  }
}

/** `exported` is what the bundle exports; made inside the context, as everything that scripts get to see. */
const loadBundle = (context: object, file: string): unknown =>
  new Script(`(() => {${readFileSync(join(__dirname, file), 'utf8')}\nreturn exported})()`).runInContext(context)

/** The name by which a call enters the context; it is gone before a script runs. */
const ENTRY = 'svcEvaluate'

const serve = (): void => {
  const channel = createChannel()
  const { elapsed } = systemClock()
  const context = createContext(Object.create(null), {
    microtaskMode: 'afterEvaluate',
    codeGeneration: { strings: true, wasm: false },
  })
  let task = ''
  let body = ''
  let result = ''
  let readings: Readings | undefined
  let isAbandoned = false

  const host: RealmHost = {
    task: () => task,
    request(request) {
      channel.send({ type: 'request' }, request)
      const answer = channel.next()
      if (answer === undefined) {
        isAbandoned = true
        return JSON.stringify({ problem: 'The host of the script is gone.' })
      }
      readings?.requestAnswered()
      body = answer.body
      return JSON.stringify((answer.head as ResponseMessage).response)
    },
    body: () => body,
    log: line => channel.send({ type: 'log' }, line),
    elapsedMs: () => readings?.read() ?? 0,
    syntaxProblem,
    loadFaker: () => (loadBundle(context, 'faker.js') as { createFaker: never }).createFaker,
    bufferBytes: () => process.memoryUsage().arrayBuffers,
    answer(text) {
      // A script may have replaced what makes it a text.
      result = typeof text === 'string' ? text : ''
    },
  }
  const realm = loadBundle(context, 'realm.js') as {
    createRealm: typeof createRealm
    createInterceptors: typeof createInterceptors
  }
  setInterceptors(realm.createInterceptors())
  const evaluate = realm.createRealm(host)
  const entry = new Script(`(() => { const run = ${ENTRY}; delete this.${ENTRY}; run() })()`)
  lockDown()

  for (let message = channel.next(); message !== undefined && !isAbandoned; message = channel.next()) {
    const { readings: recorded, repeatedRequests, endsAfterMs } = message.head as EvaluationTask
    task = JSON.stringify(message.head)
    readings = createReadings(recorded, repeatedRequests, {
      elapsed,
      onStep: reading => channel.send({ type: 'clock', ...reading }),
    })
    result = ''
    // A setter of a script is not called, as it would be by an assignment.
    if (!Reflect.defineProperty(context, ENTRY, { value: evaluate, configurable: true })) return
    // The microtasks of the script run before this returns. The host ends this process earlier, if it is still there.
    entry.runInContext(context, { timeout: endsAfterMs })
    readings.end()
    channel.send({ type: 'answer' }, result)
    body = ''
  }
}

/** A thrown value may be a script's: to print it would call the script with objects of this realm. */
const serveSafely = (): void => {
  try {
    serve()
  } catch (thrown) {
    writeSync(STDERR, thrown instanceof Error ? `${thrown.message}\n` : 'A script left its process unusable.\n')
    process.exitCode = 1
  }
}

serveSafely()

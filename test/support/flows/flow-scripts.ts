/** Scripts of flows in this process, with the promises of the real ones: the same seed and record give the same values. */
import { createHash } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import {
  type ScriptAnswer,
  type ScriptEffect,
  ScriptFailure,
  type ScriptPlace,
  type ScriptResponse,
} from '../../../src/service/flows/script/script-answer.ts'
import type { FlowScripts } from '../../../src/service/flows/script/scripts.ts'
import { nameWithoutValue, splitTemplate } from '../../../src/service/flows/script/template.ts'

/** Takes the requests that reach the server, whichever process sent them; what is no response is answered with a plain one. */
export interface ScriptServer {
  push(url: string): unknown
}

const responseOf = (body: string) => ({ ok: true, status: 200, headers: {}, body })
const isResponse = (answer: unknown): answer is ScriptResponse => typeof answer === 'object' && answer !== null

/** Stands for the value of a variable in an address: requests are found in the source, before it is run. */
const VARIABLE = /%(\w+)%/g
const REQUEST = /http\.get\('([^']*)'\)/g

export const flowScripts = (seed: string, server: ScriptServer): FlowScripts => {
  const context = createContext({ output: {}, maestro: { copiedText: null } })
  let ordinal = 0

  /** A name that nobody declared. */
  const isUnset = (source: string) => /^[A-Za-z_]\w*$/.test(source.trim()) && !(source.trim() in context)

  const run = async (sources: readonly string[], at: ScriptPlace): Promise<ScriptAnswer> => {
    const effects: ScriptEffect[] = []
    const repeated = (at.recorded ?? []).filter(effect => effect.kind === 'http')
    const evaluation = ordinal++
    let draws = 0
    const random = () => {
      const digest = createHash('sha256').update(`${seed}:${evaluation}:${draws++}`).digest()
      return digest.readUInt32LE(0) / 2 ** 32
    }
    const get = async (url: string) => {
      const expected = repeated.shift()
      const request = effects.length
      const isOther = expected !== undefined && expected.digest !== url
      const address = url.replace(VARIABLE, (_, name) => at.env[name] ?? '')
      const intent = { method: 'GET', url: address, digest: url, files: [], request, isOther }
      if (!expected || isOther) await at.onRequest?.(intent)
      const answer = expected ? undefined : await server.push(url)
      const response = expected?.response ?? (isResponse(answer) ? answer : responseOf(`body of ${url}`))
      const effect: ScriptEffect = { kind: 'http', digest: url, response }
      effects.push(effect)
      await at.onEffect?.(effect)
      return response
    }
    // Scripts run at once, so the answers to their requests, which name plain addresses, come before.
    const responses: unknown[] = []
    for (const [, url = ''] of sources.join('\n').matchAll(REQUEST)) responses.push(await get(url))
    Object.assign(context, {
      ...at.env,
      random,
      http: { get: () => responses.shift() },
      now: () => at.now,
      faker: { regexify: () => `r${Math.floor(random() * 1e9)}` },
    })
    try {
      const texts = sources.map(source => (isUnset(source) ? 'undefined' : String(runInContext(source, context))))
      const text = texts.join('\0')
      return { ok: true, value: text, text, logs: [], effects }
    } catch (error) {
      const problem = (error as Error).message
      return { ok: false, kind: 'threw', problem, file: at.file, line: at.line, logs: [], effects }
    }
  }

  return {
    evaluate: async (source, at) => run([source], at),
    async fillIn(text, at) {
      const pieces = splitTemplate(text)
      const asked = pieces.flatMap(piece => ('script' in piece ? [piece.script] : []))
      if (asked.length === 0) return pieces.map(piece => ('text' in piece ? piece.text : ''))
      const answer = await run(asked, at)
      if (!answer.ok) throw new ScriptFailure(answer)
      const texts = answer.text.split('\0')
      for (const [index, script] of asked.entries()) {
        const name = nameWithoutValue(script, texts[index], at.env)
        if (name !== undefined) at.onUndefined?.(name)
      }
      const values = texts.values()
      return pieces.map(piece => ('text' in piece ? piece.text : (values.next().value ?? '')))
    },
    setCopiedText: text => Object.assign(context.maestro, { copiedText: text }),
    end: async () => {},
  }
}

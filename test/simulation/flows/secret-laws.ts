/** Law 8 of secrets: no file, record or answer holds one, in whichever way it is written. Law 2: a run keeps its values. */
import type { Violation } from '../../laws/laws.ts'
import type { FlowWorld } from './trial.ts'

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

const inXml = (value: string, signs: RegExp) => value.replace(signs, sign => XML[sign] ?? `&#${sign.codePointAt(0)};`)

/** Base64 of a longer text holds these signs of the value, wherever it begins. */
const base64Of = (value: string): string[] =>
  [0, 1, 2].map(at => {
    const signs = Buffer.from(`${'.'.repeat(at)}${value}`)
      .toString('base64')
      .replaceAll('=', '')
    return signs.slice(at === 0 ? 0 : 4, -1)
  })

/** Made here anew: the product's own list would share its gaps. */
const spellingsOf = (value: string): string[] => {
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(value)
  return [
    ...[value, json, JSON.stringify(json).slice(1, -1), url, url.replaceAll('%20', '+'), url.toLowerCase()],
    ...[/[&<>]/g, /[&<>"]/g, /[&<>"']/g, /[&<>"'\n]/g].map(signs => inXml(value, signs)),
    ...base64Of(value),
  ]
}

const secretsKept = ({ plan, texts }: FlowWorld): Violation[] =>
  plan.runs.flatMap(({ secret }) => {
    if (secret === undefined) return []
    const spellings = [...new Set(spellingsOf(secret))]
    return texts.flatMap(({ where, text }): Violation[] => {
      const found = spellings.find(spelling => text.includes(spelling))
      return found === undefined ? [] : [{ law: 8, about: where, says: `it holds the secret as ${found}` }]
    })
  })

const sameSecrets = ({ otherSecrets }: FlowWorld): Violation[] =>
  otherSecrets.map((about): Violation => ({ law: 2, about, says: 'it went on with another value of a secret' }))

export const judgeSecrets = (world: FlowWorld): Violation[] => [...secretsKept(world), ...sameSecrets(world)]

/** How things stand, in a word and a colour. */

const BAD = /^(failed|interrupted|unknown)$/
const GOOD = /^(success|succeeded|settled|verified)$/
const BUSY = /^(accepted|dispatched|active|running)/

const toneOf = (text: string): string => {
  if (GOOD.test(text)) return 'good'
  if (BUSY.test(text)) return 'busy'
  return BAD.test(text) || /^[A-Z0-9_]+$/.test(text) ? 'bad' : 'calm'
}

export const Badge = ({ text }: { text: string }) => <span class={`badge ${toneOf(text)}`}>{text}</span>

/** Bytes as base64 in arguments and answers. */
import { invalid } from './arguments.ts'

/** Some clients break it into lines. */
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/

export const bytesOf = (base64: string, name: string): Buffer => {
  const joined = base64.replace(/\s+/g, '')
  if (BASE64.test(joined) && joined.replace(/=+$/, '').length % 4 !== 1) return Buffer.from(joined, 'base64')
  throw invalid(`The argument ${name} must be base64.`)
}

export const base64Of = (bytes: Buffer): string => bytes.toString('base64')

/** Answers as JSON: successes with 200, failures with the status of their code. */
import type { ErrorObject } from '../contracts/error.ts'
import { httpStatusOf } from '../contracts/failures.ts'

export type Headers = Readonly<Record<string, string>>

export const JSON_TYPE = 'application/json'

/** A Response of its own and not `c.json`: with more than one header Hono copies them all into a Headers object first. */
export const answerText = (json: string, status = 200, headers: Headers = {}): Response =>
  new Response(json, { status, headers: { 'Content-Type': JSON_TYPE, ...headers } })

export const answer = (value: unknown): Response => answerText(JSON.stringify(value))

export interface RefusalOptions {
  status?: number | undefined
  headers?: Headers | undefined
}

export const refusalJson = (error: ErrorObject): string => JSON.stringify({ ok: false, error })

export const refuse = (error: ErrorObject, { status, headers }: RefusalOptions = {}): Response =>
  answerText(refusalJson(error), status ?? httpStatusOf(error.code), headers)

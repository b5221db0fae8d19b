/** Gets a person's confirmation for the policy: the client asks its user, and makes the call again with the answer. */
import { createHash, randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { MCP_CONFIRM_MS } from '../../contracts/limits/mcp-limits.ts'
import type { Clock } from '../../runtime/clock.ts'

export interface Confirmation {
  /** The rules of the policy to which a person has said yes, for this very call. */
  confirmed: readonly string[]
  /** Set where a person was asked and has not said yes: nothing may be run. These are the details of the refusal that led to the question. */
  declined: ErrorObject['details'] | undefined
  /** Undefined where nobody can be asked, or where the error is no question. */
  ask(error: ErrorObject): Promise<InputRequiredResult | undefined>
}

/** Travels through the client, signed. A yes holds for the call that was asked about, once. */
interface PendingQuestion {
  nonce: string
  call: string
  confirmed: string[]
  rule: string
  /** The details of the refusal that led to the question. */
  details: NonNullable<ErrorObject['details']>
}

const KEY_BYTES = 32
const NONCE_BYTES = 16
const SHOWN_CHARS = 500
const ANSWER = 'confirm'
const SCHEMA = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Allow this' } },
  required: ['confirm'],
}

const digestOf = (name: string, args: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([name, args ?? null]))
    .digest('base64url')

/** The rule of a refusal that a person can lift. */
const ruleOf = ({ code, details }: ErrorObject): string | undefined =>
  code === 'EXECUTION_DENIED' && details?.effect === 'confirm' && typeof details.rule === 'string'
    ? details.rule
    : undefined

const NOBODY: Pick<Confirmation, 'confirmed' | 'declined'> = { confirmed: [], declined: undefined }

const canAsk = ({ server }: McpServer, { mcpReq }: ServerContext): boolean => {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())?.elicitation !== undefined
}

export interface Confirmations {
  codec: RequestStateCodec<PendingQuestion>
  of(server: McpServer, ctx: ServerContext, name: string, args: unknown): Confirmation
}

export const createConfirmations = (clock: Clock): Confirmations => {
  const codec = createRequestStateCodec<PendingQuestion>({
    key: randomBytes(KEY_BYTES),
    ttlSeconds: MCP_CONFIRM_MS / 1_000,
  })
  /** Answers that were used, until they would not be taken any more. */
  const used = new Map<string, number>()

  const isFirstUse = (nonce: string): boolean => {
    const now = clock.elapsed()
    for (const [old, at] of used) if (now - at > MCP_CONFIRM_MS) used.delete(old)
    if (used.has(nonce)) return false
    used.set(nonce, now)
    return true
  }

  const answerOf = ({ mcpReq }: ServerContext, call: string): Pick<Confirmation, 'confirmed' | 'declined'> => {
    const question = mcpReq.requestState<PendingQuestion>()
    const response = inputResponse(mcpReq.inputResponses, ANSWER)
    if (!question || question.call !== call || response.kind === 'missing') return NOBODY
    if (!isFirstUse(question.nonce)) return NOBODY
    const isYes = response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true
    return isYes
      ? { confirmed: [...question.confirmed, question.rule], declined: undefined }
      : { confirmed: question.confirmed, declined: question.details }
  }

  return {
    codec,
    of(server, ctx, name, args) {
      const call = digestOf(name, args)
      const { confirmed, declined } = answerOf(ctx, call)
      return {
        confirmed,
        declined,
        async ask(error) {
          const rule = ruleOf(error)
          if (rule === undefined || confirmed.includes(rule) || !canAsk(server, ctx)) return undefined
          const argsJson = JSON.stringify(args ?? {})
          const cut =
            argsJson.length > SHOWN_CHARS
              ? `${argsJson.slice(0, SHOWN_CHARS)}... (${argsJson.length} characters)`
              : argsJson
          const message = `svc: ${error.message.replace(/\.$/, '')}. Allow ${name} ${cut}?`
          const nonce = randomBytes(NONCE_BYTES).toString('base64url')
          return inputRequired({
            inputRequests: { [ANSWER]: inputRequired.elicit({ message, requestedSchema: SCHEMA }) },
            requestState: await codec.mint({
              nonce,
              call,
              confirmed: [...confirmed],
              rule,
              details: error.details ?? {},
            }),
          })
        },
      }
    },
  }
}

/** A command says which daemon it is for: any other one refuses it, before it is read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  CHOSEN_ID_HEADER,
  EXPECT_BUILD_HEADER,
  EXPECT_INSTANCE_HEADER,
  INSTANCE_HEADER,
  OFFERED_ID_HEADER,
} from '../../contracts/headers.ts'
import { buildText, type Version } from '../build-identity.ts'

export interface PreconditionOptions {
  instanceId: string
  version: Version
  /** True when the daemon accepts nothing new. */
  isEnding(): boolean
  newExecutionId(): string
}

/** False once the request was refused, with what `GET /version` says of this daemon. */
export const createPrecondition = ({ instanceId, version, isEnding, newExecutionId }: PreconditionOptions) => {
  const build = buildText(version)

  /** Known before the body is sent, so that its sender can cancel the execution whatever is lost. */
  const offerId = (headers: IncomingMessage['headers'], outgoing: ServerResponse) => {
    const executionId = newExecutionId()
    headers[CHOSEN_ID_HEADER] = executionId
    outgoing.setHeader(OFFERED_ID_HEADER, executionId)
  }

  return ({ headers }: IncomingMessage, outgoing: ServerResponse): boolean => {
    outgoing.setHeader(INSTANCE_HEADER, instanceId)
    const expected = { instance: headers[EXPECT_INSTANCE_HEADER], build: headers[EXPECT_BUILD_HEADER] }
    const isForUs =
      (expected.instance === undefined || (expected.instance === instanceId && !isEnding())) &&
      (expected.build === undefined || expected.build === build)
    if (isForUs) {
      if (headers.expect !== undefined && headers[CHOSEN_ID_HEADER] === undefined) offerId(headers, outgoing)
      return true
    }
    const facts = JSON.stringify({ ...version, ...(isEnding() ? { ending: true } : {}) })
    outgoing.writeHead(412, { 'content-type': 'application/json', connection: 'close' }).end(facts)
    return false
  }
}

/** A command says which daemon it is for: any other one refuses it, before it is read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { EXPECT_BUILD_HEADER, EXPECT_INSTANCE_HEADER, INSTANCE_HEADER } from '../../contracts/daemon-headers.ts'
import { buildText, type Version } from '../build-identity.ts'

export interface PreconditionOptions {
  instanceId: string
  version: Version
  /** Whether the daemon takes nothing new. */
  isEnding(): boolean
}

/** False once the request was refused, with what `GET /version` says of this daemon. */
export const createPrecondition = ({ instanceId, version, isEnding }: PreconditionOptions) => {
  const build = buildText(version)
  return ({ headers }: IncomingMessage, outgoing: ServerResponse): boolean => {
    outgoing.setHeader(INSTANCE_HEADER, instanceId)
    const expected = { instance: headers[EXPECT_INSTANCE_HEADER], build: headers[EXPECT_BUILD_HEADER] }
    const isForUs =
      (expected.instance === undefined || (expected.instance === instanceId && !isEnding())) &&
      (expected.build === undefined || expected.build === build)
    if (isForUs) return true
    const facts = JSON.stringify({ ...version, ...(isEnding() ? { ending: true } : {}) })
    outgoing.writeHead(412, { 'content-type': 'application/json', connection: 'close' }).end(facts)
    return false
  }
}

/** What `svc serve` and a daemon decide about their servers; the rest is the same for everybody. */
import type { OnRequest } from './listen.ts'

export interface ServeOptions {
  host: string
  port: number
  allowOrigins: readonly string[]
  version: string
  /** The program that was started, for the build identity. */
  entryPath: string | undefined
}

export interface ServeSocketOptions {
  path: string
  onRequest: OnRequest
  version: string
  entryPath: string | undefined
  /** For requests that name none. */
  operatorPackage: string
  /** As in HttpDeps. */
  listener: string
  /** A line for the log. */
  note(text: string): void
}

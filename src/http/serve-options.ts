/** What `svc serve` decides about its server; the rest is the same for everybody. */
export interface ServeOptions {
  host: string
  port: number
  allowOrigins: readonly string[]
  version: string
  /** The program that was started, for the build identity. */
  entryPath: string | undefined
}

/** Certificates of an authority of their own, made with openssl. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificates {
  /** Of the authority; what clients trust. */
  ca: string
  cert: string
  key: string
}

const openssl = (folder: string, ...args: string[]) =>
  void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** For a server on 127.0.0.1. */
export const makeCertificates = (folder: string): Certificates => {
  const path = (name: string) => join(folder, name)
  writeFileSync(
    path('server.ext'),
    'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n',
  )
  openssl(folder, 'req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=test ca')
  openssl(folder, 'req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=nats')
  openssl(
    folder,
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-out', 'server.pem', '-days', '2', '-extfile', 'server.ext'],
  )
  return { ca: path('ca.pem'), cert: path('server.pem'), key: path('server.key') }
}

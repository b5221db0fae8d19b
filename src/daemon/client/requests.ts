/** The two requests of a proxied command, and the headers of their answers. */

/** As the contract names them, in the lower case in which answers are read; a test holds both together. */
export const INSTANCE = 'svc-instance'
export const EXECUTION_ID = 'svc-execution-id'

export const getRequest = (path: '/ping' | '/version'): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** The last request of its connection. */
export const deleteRequest = (path: string): string =>
  `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

/** The last request of its connection. */
export const postRequest = (path: string, json: string, headers: Readonly<Record<string, string>> = {}): Buffer => {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
}

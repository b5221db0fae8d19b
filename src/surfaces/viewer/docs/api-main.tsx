/** The page of GET /docs/api: Swagger UI over /openapi.json, with the token where the server needs one. */
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, credentials, get, locked, problemIn } from '../api.ts'
import { TokenForm } from '../parts.tsx'

interface SwaggerRequest {
  url: string
  headers: Record<string, string>
}

interface SwaggerOptions {
  spec: object
  domNode: HTMLElement
  /** Null: no document is sent to a validator elsewhere. */
  validatorUrl: null
  deepLinking: boolean
  filter: boolean
  displayRequestDuration: boolean
  defaultModelsExpandDepth: number
  requestInterceptor(request: SwaggerRequest): SwaggerRequest
}

/** A script of its own, which comes before this one. */
declare const SwaggerUIBundle: (options: SwaggerOptions) => unknown

const withToken = (request: SwaggerRequest): SwaggerRequest => {
  const isOurs = new URL(request.url, location.href).origin === location.origin
  return isOurs ? { ...request, headers: { ...request.headers, ...credentials() } } : request
}

const Document = () => {
  const place = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    const show = (spec: object) => {
      if (!place.current) return
      SwaggerUIBundle({
        spec,
        domNode: place.current,
        validatorUrl: null,
        deepLinking: true,
        filter: true,
        displayRequestDuration: true,
        defaultModelsExpandDepth: 0,
        requestInterceptor: withToken,
      })
    }
    get<object>('/openapi.json').then(show, error => setProblem(problemIn(error)))
  }, [])
  if (problem) return <p class="problem">The document cannot be read: {problem.message}</p>
  return <div ref={place} />
}

const Page = () => (locked.value ? <TokenForm /> : <Document />)

const followScheme = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}

const root = document.getElementById('root')
if (root) {
  followScheme()
  root.replaceChildren()
  render(<Page />, root)
}

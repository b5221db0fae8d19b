/** Pictures of the server: asked for with the token, and once, however many places of the page show them. */
import { useEffect, useState } from 'preact/hooks'
import { bytes, problemIn } from '../api.ts'

interface Shared {
  loaded: Promise<string>
  users: number
}

const shared = new Map<string, Shared>()

const take = (url: string): Promise<string> => {
  const known = shared.get(url)
  if (known) {
    known.users += 1
    return known.loaded
  }
  const loaded = bytes(url).then(blob => URL.createObjectURL(blob))
  shared.set(url, { loaded, users: 1 })
  return loaded
}

/** The last that shows it frees its memory; one that could not be read is asked for again by the next. */
const leave = (url: string): void => {
  const known = shared.get(url)
  if (!known) return
  known.users -= 1
  if (known.users > 0) return
  shared.delete(url)
  known.loaded.then(
    src => URL.revokeObjectURL(src),
    () => {},
  )
}

interface Found {
  url?: string
  src?: string
  problem?: string
}

export const usePicture = (url: string | undefined): Pick<Found, 'src' | 'problem'> => {
  const [found, setFound] = useState<Found>({})
  useEffect(() => {
    if (url === undefined || url.startsWith('data:')) return undefined
    let isWanted = true
    take(url).then(
      src => isWanted && setFound({ url, src }),
      error => isWanted && setFound({ url, problem: problemIn(error).message }),
    )
    return () => {
      isWanted = false
      leave(url)
    }
  }, [url])
  if (url?.startsWith('data:')) return { src: url }
  if (found.url !== url) return {}
  const { src, problem } = found
  return { ...(src === undefined ? {} : { src }), ...(problem === undefined ? {} : { problem }) }
}

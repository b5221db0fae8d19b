/** Reads a server-sent event stream line by line. */

export interface StreamEvent {
  name: string
  data: string
}

/** Calls for each event until the signal is aborted. */
export const followStream = async (url: string, signal: AbortSignal, onEvent: (event: StreamEvent) => void) => {
  const response = await fetch(url, { signal })
  const text = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + text.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s).slice(0, 2)))
      if (fields.event) onEvent({ name: fields.event, data: fields.data ?? '' })
    }
  }
}

/** The question for the token, where the server needs one. */
import { useState } from 'preact/hooks'
import { setToken } from './api.ts'

export const TokenForm = () => {
  const [text, setText] = useState('')
  return (
    <main class="page token">
      <h1>This server needs its token</h1>
      <p>It was printed when svc serve started, or is the value of SVC_SERVE_TOKEN. It is kept for this tab only.</p>
      <form
        onSubmit={event => {
          event.preventDefault()
          setToken(text.trim())
        }}
      >
        <label>
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={text.trim() === ''}>
          Continue
        </button>
      </form>
    </main>
  )
}

// The log of the demo: what the page and the server of the app were told, each with its whole content.
import { useSignal } from '@preact/signals'
import type { ComponentChild } from 'preact'
import { type Entry, entries } from './state.ts'

const channels = {
  window: 'postMessage to the page',
  webhook: 'webhook to the server',
  callback: 'callback to the server',
  control: 'control message',
}

export function EventLog() {
  const withControl = useSignal(false)
  const shown = entries.value.filter(({ channel }) => withControl.value || channel !== 'control')
  return (
    <section class="log" aria-labelledby="log">
      <div class="bar">
        <h2 id="log">What the app hears</h2>
        <label>
          <input
            type="checkbox"
            onChange={(event) => {
              withControl.value = event.currentTarget.checked
            }}
          />
          control messages too
        </label>
      </div>
      {shown.length === 0 && <p class="empty">Lifecycle updates appear here, on each channel on which they arrive.</p>}
      <ol aria-live="polite">
        {shown.map((entry) => (
          <li key={`${entry.channel} ${entry.title} ${entry.at.getTime()}`}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Line({ entry: { channel, at, title, headers, verified, content } }: { entry: Entry }) {
  const open = useSignal(false)
  return (
    <details
      class={channel}
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <time>{at.toLocaleTimeString('en-GB')}</time> <b>{title}</b> <span>{channels[channel]}</span>
        {verified && <em>signature verified</em>}
      </summary>
      {open.value && (
        <>
          {headers && <Json value={headers} />}
          <Json value={content} />
        </>
      )}
    </details>
  )
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?)/g

/** JSON with its parts told apart; text nodes only, since it is other people's data. */
function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  const parts: ComponentChild[] = []
  let at = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, word] = match
    const kind = string ? (colon ? 'key' : 'string') : word ? 'word' : 'number'
    parts.push(text.slice(at, match.index), <span class={kind}>{string ?? whole}</span>, string ? colon : undefined)
    at = match.index + whole.length
  }
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  return <pre tabIndex={0}>{[...parts, text.slice(at)]}</pre>
}

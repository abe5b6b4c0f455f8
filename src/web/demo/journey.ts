// Opens a journey through the app's own server, mounts it with the SDK, and listens to what the server receives.
import { batch } from '@preact/signals'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import {
  addressOf,
  current,
  type DemoChoice,
  entries,
  language,
  note,
  opening,
  product,
  type SessionCall,
  statusOf,
  trouble,
  view,
} from './state.ts'
import { theme } from './theme.ts'
import { statusWords } from './words.ts'

/** A delivery, as the demo's server reports it. */
interface ReceivedUpdate {
  receivedAt: string
  headers: Record<string, string>
  verified: boolean
  payload: LifecycleUpdate
}

/** Asks the app's server, which has the API key, for an address; for an existing borrower when one is named. */
async function embedUrlFor({ product: id, digits }: DemoChoice, borrower?: string): Promise<URL> {
  const response = await fetch('/demo/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product: id, digits, ...(borrower && { borrowerProviderID: borrower }) }),
  }).catch(() => null)
  if (!response) throw new Error('The app’s server does not respond. Is `npm start` still running?')
  const answer: { embedUrl: string; call: SessionCall; error?: { message: string } } = await response.json()
  if (!response.ok)
    throw new Error(`The platform refused the app’s server: ${answer.error?.message ?? response.status}.`)
  const { call } = answer
  note({
    channel: 'call',
    at: new Date(),
    title: `${call.method} ${call.path}`,
    words: `The server requests an address to embed: ${call.status}.`,
    curl: call.curl,
    content: call.reply,
  })
  return new URL(answer.embedUrl)
}

/** Opens a journey in the phone. A named borrower continues the open journey. */
export async function openJourney(played: DemoChoice, known?: string): Promise<void> {
  // Of two concurrent starts the later one wins.
  const mine = played
  batch(() => {
    product.value = played.product
    opening.value = mine
    trouble.value = null
    view.value = 'app'
    current.value = null
    if (!known) entries.value = []
  })
  keep(played)
  try {
    const url = await embedUrlFor(played, known)
    if (opening.value !== mine) return
    const borrower = url.searchParams.get('borrower_provider_id') ?? ''
    keep(played, borrower)
    batch(() => {
      opening.value = null
      current.value = { played, borrower, mount: (into) => mount(into, url, played, borrower) }
    })
  } catch (error) {
    if (opening.value !== mine) return
    batch(() => {
      opening.value = null
      trouble.value = { played, why: error instanceof Error ? error.message : String(error) }
    })
  }
}

/** The address can be shared; reloading the window continues with its borrower. */
const keep = (played: DemoChoice, borrower?: string): void => history.replaceState({ borrower }, '', addressOf(played))

function mount(container: HTMLElement, url: URL, played: DemoChoice, borrower: string): () => void {
  const mounted = Lendloom.mountLendloom({
    container,
    height: 'container',
    embedUrl: url.href,
    language: language.value,
    ...(theme.value !== 'system' && { colorScheme: theme.value }),
    onUpdate: (update) => {
      const title = statusOf(update)
      note({ channel: 'window', at: new Date(), title, words: statusWords[title], content: update })
    },
    onControl: (message) => note({ channel: 'control', at: new Date(), title: message.type, content: message }),
    onExpired: async () => (await embedUrlFor(played, borrower)).href,
    onExit() {
      current.value = null
    },
  })
  const received = new EventSource(`/demo/events?${new URLSearchParams({ borrower })}`)
  received.addEventListener('update', ({ data }: MessageEvent<string>) => {
    const { receivedAt, headers, verified, payload }: ReceivedUpdate = JSON.parse(data)
    const title = statusOf(payload)
    const words = statusWords[title]
    note({ channel: 'webhook', at: new Date(receivedAt), title, words, headers, verified, content: payload })
  })
  return () => {
    mounted.unmount()
    received.close()
  }
}

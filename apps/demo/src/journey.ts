// Opens a journey through the app's own server, mounts it with the SDK, and logs the updates that the server receives.

import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { batch } from '@preact/signals'
import {
  addEntry,
  addressOf,
  currentJourney,
  entries,
  failure,
  language,
  openingScenario,
  product,
  type Scenario,
  type SessionCall,
  statusOf,
  view,
} from './state.ts'
import { theme } from './theme.ts'
import { statusSentences } from './words.ts'

/** A delivery, as the demo's server reports it. */
interface ReceivedUpdate {
  receivedAt: string
  headers: Record<string, string>
  verified: boolean
  payload: LifecycleUpdate
}

/** By how much the platform's clock is ahead of the browser's: in the sandbox it can be moved, and only forward. */
let aheadMs = 0

/** Seconds of difference are the way of the message. */
const leastAheadMs = 60_000

function followClock(platformTime: string): void {
  const ms = new Date(platformTime).getTime() - Date.now()
  if (ms > leastAheadMs) aheadMs = Math.max(aheadMs, ms)
}

/** Now by the platform's clock, so that the log has one clock. */
const platformTime = (): Date => new Date(Date.now() + aheadMs)

/** Requests an embed URL from the app's server, which has the API key. `borrower` is the id of an existing borrower. */
async function embedUrlFor({ product: id, digits }: Scenario, borrower?: string): Promise<URL> {
  const response = await fetch('/demo/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ product: id, digits, ...(borrower && { borrowerProviderID: borrower }) }),
  }).catch(() => null)
  if (!response) throw new Error('The app’s server does not respond. Is “npm start” still running?')
  const answer: { embedUrl: string; calledAt: string; call: SessionCall; error?: { message: string } } =
    await response.json()
  if (!response.ok)
    throw new Error(`The platform rejected the app’s request: ${answer.error?.message ?? response.status}.`)
  const { call, calledAt } = answer
  followClock(calledAt)
  addEntry({
    channel: 'call',
    at: new Date(calledAt),
    title: `${call.method} ${call.path}`,
    explanation: `The server requests an embed URL: ${call.status}.`,
    curl: call.curl,
    content: call.reply,
  })
  return new URL(answer.embedUrl)
}

/** Opens a journey in the phone. With `existingBorrower`, that borrower continues the open journey. */
export async function openJourney(scenario: Scenario, existingBorrower?: string): Promise<void> {
  // If two starts overlap, the later one wins.
  const request = scenario
  batch(() => {
    product.value = scenario.product
    openingScenario.value = request
    failure.value = null
    view.value = 'app'
    currentJourney.value = null
    if (!existingBorrower) entries.value = []
  })
  // With the borrower already, so that a reload before the answer continues with it too.
  saveInUrl(scenario, existingBorrower)
  try {
    const url = await embedUrlFor(scenario, existingBorrower)
    if (openingScenario.value !== request) return
    const borrower = url.searchParams.get('borrower_provider_id') ?? ''
    saveInUrl(scenario, borrower)
    batch(() => {
      openingScenario.value = null
      currentJourney.value = { scenario, borrower, mount: (container) => mount(container, url, scenario, borrower) }
    })
  } catch (error) {
    if (openingScenario.value !== request) return
    batch(() => {
      openingScenario.value = null
      failure.value = { scenario, reason: error instanceof Error ? error.message : String(error) }
    })
  }
}

/** Writes the scenario into the URL, to be shared; reloading the window continues with the same borrower. */
const saveInUrl = (scenario: Scenario, borrower?: string): void =>
  history.replaceState({ borrower }, '', addressOf(scenario))

function mount(container: HTMLElement, url: URL, scenario: Scenario, borrower: string): () => void {
  const widget = Lendloom.mountLendloom({
    container,
    height: 'container',
    embedUrl: url.href,
    language: language.value,
    ...(theme.value !== 'system' && { colorScheme: theme.value }),
    onUpdate: (update) => {
      const title = statusOf(update)
      addEntry({ channel: 'window', at: platformTime(), title, explanation: statusSentences[title], content: update })
    },
    onControl: (message) => addEntry({ channel: 'control', at: platformTime(), title: message.type, content: message }),
    onExpired: async () => (await embedUrlFor(scenario, borrower)).href,
    onExit() {
      currentJourney.value = null
    },
  })
  const events = new EventSource(`/demo/events?${new URLSearchParams({ borrower })}`)
  events.addEventListener('update', ({ data }: MessageEvent<string>) => {
    const { receivedAt, headers, verified, payload }: ReceivedUpdate = JSON.parse(data)
    followClock(receivedAt)
    const title = statusOf(payload)
    const explanation = statusSentences[title]
    addEntry({ channel: 'webhook', at: new Date(receivedAt), title, explanation, headers, verified, content: payload })
  })
  return () => {
    widget.unmount()
    events.close()
  }
}

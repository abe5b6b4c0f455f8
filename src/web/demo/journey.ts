// Opens a journey through the app's own server, mounts it with the SDK, and listens to what the server receives.
import { batch } from '@preact/signals'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { current, entries, language, note, type Scenario, statusOf, trouble } from './state.ts'

/** What the demo's server tells of a delivery it received. */
interface ReceivedUpdate {
  channel: 'webhook' | 'callback'
  receivedAt: string
  headers: Record<string, string>
  verified: boolean
  payload: LifecycleUpdate
}

/** Asks the app's server, which has the API key, for an address; the same borrower once more when one is named. */
async function embedUrlFor(scenario: Scenario, borrower?: string): Promise<URL> {
  const response = await fetch('/demo/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: scenario.id, ...(borrower && { borrowerProviderID: borrower }) }),
  })
  if (!response.ok) throw new Error(`the demo's server answered ${response.status}`)
  return new URL((await response.json()).embedUrl)
}

/** Opens a journey in the phone. A borrower who is named comes back to the journey left open. */
export async function openJourney(scenario: Scenario, known?: string): Promise<void> {
  trouble.value = ''
  try {
    const url = await embedUrlFor(scenario, known)
    const borrower = url.searchParams.get('borrower_provider_id') ?? ''
    batch(() => {
      if (!known) entries.value = []
      current.value = { scenario, borrower, mount: (into) => mount(into, url, scenario, borrower) }
    })
  } catch (error) {
    trouble.value = `The journey could not be opened: ${error instanceof Error ? error.message : error}.`
  }
}

function mount(container: HTMLElement, url: URL, scenario: Scenario, borrower: string): () => void {
  const mounted = Lendloom.mountLendloom({
    container,
    embedUrl: url.href,
    language: language.value,
    onUpdate: (update) => note({ channel: 'window', at: new Date(), title: statusOf(update), content: update }),
    onControl: (message) => note({ channel: 'control', at: new Date(), title: message.type, content: message }),
    onExpired: async () => (await embedUrlFor(scenario, borrower)).href,
    onExit() {
      current.value = null
    },
  })
  const received = new EventSource('/demo/events')
  received.addEventListener('update', ({ data }: MessageEvent<string>) => {
    const { channel, receivedAt, headers, verified, payload }: ReceivedUpdate = JSON.parse(data)
    if (payload.borrower.provider_id !== borrower) return
    note({ channel, at: new Date(receivedAt), title: statusOf(payload), headers, verified, content: payload })
  })
  return () => {
    mounted.unmount()
    received.close()
  }
}

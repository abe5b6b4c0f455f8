// A chunk that is loaded at its stage: once, with a waiting state and retries.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { type TextFile, t } from '../text.ts'
import { speak } from './deferred.tsx'
import { here } from './here.ts'
import { Waiting } from './waiting.tsx'

export interface Chunk {
  /** Its texts, without which it is not shown. */
  texts: TextFile
  /** Whether it was loaded. */
  load(): Promise<boolean>
}

/** Missing reason texts are shown in English. */
const speakReasons = (): Promise<void> => speak('reasons').catch(() => {})

/** A browser may remember that an address failed: every try has its own. */
export function chunkOf(texts: TextFile, address: () => string): Chunk {
  let tries = 0
  let loading: Promise<boolean> | null = null
  const load = () => {
    loading ??= Promise.all([import(/* @vite-ignore */ `${address()}?${tries++}`), speak(texts), speakReasons()]).then(
      () => true,
      () => {
        loading = null
        return false
      },
    )
    return loading
  }
  return { texts, load }
}

interface FetchedProps {
  chunk: Chunk
  /** Renders the chunk's content once it is loaded. */
  draw(): VNode | undefined
  /** When the page is complete without it, nothing is shown while it loads. */
  quiet?: boolean
}

export function Fetched({ chunk, draw, quiet }: FetchedProps) {
  const state = useSignal<'loading' | 'there' | 'failed'>('loading')
  async function go(): Promise<void> {
    state.value = 'loading'
    state.value = (await chunk.load()) ? 'there' : 'failed'
  }
  useEffect(() => void go(), [])
  const failed = state.value === 'failed'
  const drawn = here.spoken.has(chunk.texts) || state.value === 'there' ? draw() : undefined
  if (drawn || quiet) return drawn ?? null
  return (
    <section class={failed ? undefined : 'fetching'}>
      {failed ? (
        <>
          <p class="notice">{t('trouble.busy')}</p>
          <Actions>
            <Button onClick={() => void go()}>{t('trouble.again')}</Button>
          </Actions>
        </>
      ) : (
        <Waiting>{t('loan.loading')}</Waiting>
      )}
    </section>
  )
}

// A chunk that is fetched when it has come to that: loaded once, waited for, and tried again when it did not come.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from './form.tsx'
import { t } from './text.ts'
import { Waiting } from './waiting.tsx'

/** Says whether the chunk is there in the end. A browser may remember that an address failed: every try has its own. */
export function loaderOf(address: () => string, also = async () => {}): () => Promise<boolean> {
  let tries = 0
  let loading: Promise<boolean> | null = null
  return () => {
    loading ??= Promise.all([import(/* @vite-ignore */ `${address()}?${tries++}`), also()]).then(
      () => true,
      () => {
        loading = null
        return false
      },
    )
    return loading
  }
}

interface FetchedProps {
  load(): Promise<boolean>
  /** What the chunk is for, once it is there. */
  draw(): VNode | undefined
  /** Where the page is whole without it, nothing is said until it comes. */
  quiet?: boolean
}

export function Fetched({ load, draw, quiet }: FetchedProps) {
  const state = useSignal<'loading' | 'there' | 'failed'>('loading')
  async function go(): Promise<void> {
    state.value = 'loading'
    state.value = (await load()) ? 'there' : 'failed'
  }
  useEffect(() => void go(), [])
  const failed = state.value === 'failed'
  const drawn = draw()
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

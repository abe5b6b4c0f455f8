// Once an offer is chosen the page needs other screens: a chunk of their own, fetched when a journey has come that far.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from './form.tsx'
import { here } from './here.ts'
import { t } from './text.ts'
import { Waiting } from './waiting.tsx'

let tries = 0
let loading: Promise<boolean> | null = null

/** Whether the screens are there in the end. A browser may remember that an address failed: every try has its own. */
export function loadChosen(): Promise<boolean> {
  loading ??= import(/* @vite-ignore */ `${here.boot.loan}?${tries++}`).then(
    () => true,
    () => {
      loading = null
      return false
    },
  )
  return loading
}

export function AfterwardsScreen() {
  const state = useSignal<'loading' | 'there' | 'failed'>(here.chosen ? 'there' : 'loading')
  async function load(): Promise<void> {
    state.value = 'loading'
    state.value = (await loadChosen()) ? 'there' : 'failed'
  }
  useEffect(() => {
    if (state.value === 'loading') void load()
  }, [])
  const Due = here.chosen?.[here.session.view.value!.screen]
  if (state.value === 'there' && Due) return <Due />
  return (
    <section>
      {state.value === 'failed' ? (
        <>
          <p class="notice">{t('trouble.busy')}</p>
          <Actions>
            <Button onClick={() => void load()}>{t('trouble.again')}</Button>
          </Actions>
        </>
      ) : (
        <Waiting>{t('loan.loading')}</Waiting>
      )}
    </section>
  )
}

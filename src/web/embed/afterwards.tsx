// After disbursal the page needs other screens: they are a chunk of their own, fetched when a loan has come that far.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from './form.tsx'
import { here } from './here.ts'
import { t } from './text.ts'
import { Waiting } from './waiting.tsx'

let tries = 0

export function AfterwardsScreen() {
  const state = useSignal<'loading' | 'there' | 'failed'>(here.LoanScreen ? 'there' : 'loading')
  async function load(): Promise<void> {
    state.value = 'loading'
    // A browser may remember that an address failed: every try has its own.
    const came = await import(/* @vite-ignore */ `${here.boot.loan}?${tries++}`).then(
      () => true,
      () => false,
    )
    state.value = came ? 'there' : 'failed'
  }
  useEffect(() => {
    if (state.value === 'loading') void load()
  }, [])
  if (state.value === 'there' && here.LoanScreen) return <here.LoanScreen />
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

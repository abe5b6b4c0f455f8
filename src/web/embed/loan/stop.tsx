// The page's text when it cannot continue, and the way back to its host.
import { here } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { t, textOf } from '../text.ts'

export function StopScreen() {
  const { state, openAgain } = here.session
  return (
    <section>
      <Title lead={textOf(`stop.${state.value}.why`)}>{textOf(`stop.${state.value}`)}</Title>
      {state.value === 'elsewhere' && (
        <div class="actions">
          <button type="button" class="main" onClick={openAgain}>
            {t('stop.elsewhere.here')}
          </button>
        </div>
      )}
      <Exit kind={state.value === 'elsewhere' ? 'quiet' : 'main'} />
    </section>
  )
}

/** Leaves the page to its host; a standalone page returns to the session's address, or may be closed. */
export function Exit({ text = t('stop.exit'), kind = 'main' }: { text?: string; kind?: 'main' | 'quiet' }) {
  const { host, memory } = here
  if (host.framed || host.opensPages)
    return (
      <div class="actions">
        <button type="button" class={kind} onClick={() => host.tell({ type: 'lab.exit' })}>
          {text}
        </button>
      </div>
    )
  const { returnUrl } = memory.kept
  if (!returnUrl || !/^https?:/.test(returnUrl)) return <p class="hint">{t('stop.close')}</p>
  return (
    <div class="actions">
      <a class={`button ${kind}`} href={returnUrl}>
        {text}
      </a>
    </div>
  )
}

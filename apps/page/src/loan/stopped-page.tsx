// The screen of a page that cannot continue, and the link back to its host.
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t, textOf } from '../text.ts'

export function StopScreen() {
  const { state, reopen } = page.session
  return (
    <section>
      <Title lead={textOf(`stop.${state.value}.why`)}>{textOf(`stop.${state.value}`)}</Title>
      {state.value === 'elsewhere' && (
        <div class="actions">
          <button type="button" class="main" onClick={reopen}>
            {t('stop.elsewhere.here')}
          </button>
        </div>
      )}
      <Exit kind={state.value === 'elsewhere' ? 'quiet' : 'main'} isEnd={false} />
    </section>
  )
}

interface ExitProps {
  text?: string
  kind?: 'main' | 'plain' | 'quiet'
  /** Whether nothing is left to do, so that a page without a way back may say that it can be closed. */
  isEnd?: boolean
}

/** Asks the host to close the page. A standalone page links to the session's return URL, or says that it can be closed. */
export function Exit({ text = t('stop.exit'), kind = 'main', isEnd = kind === 'main' }: ExitProps) {
  const { host, memory } = page
  if (host.framed || host.opensPages)
    return (
      <div class="actions">
        <button type="button" class={kind} onClick={() => host.send({ type: 'lab.exit' })}>
          {text}
        </button>
      </div>
    )
  const { returnUrl } = memory.stored
  if (!returnUrl || !/^https?:/.test(returnUrl)) return isEnd ? <p class="hint">{t('stop.close')}</p> : null
  return (
    <div class="actions">
      <a class={`button ${kind}`} href={returnUrl}>
        {text}
      </a>
    </div>
  )
}

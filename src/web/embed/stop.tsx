// What the page says when it cannot go on by itself, and the way back to whoever holds it.
import { here } from './here.ts'
import { t, textOf } from './text.ts'
import { Title } from './title.tsx'

export function StopScreen() {
  const state = here.session.state.value
  return (
    <section>
      <Title lead={textOf(`stop.${state}.why`)}>{textOf(`stop.${state}`)}</Title>
      <Exit />
    </section>
  )
}

/** Leaves the page to whoever holds it; standing alone there is nobody to go back to. */
export function Exit({ text }: { text?: string }) {
  const { host } = here
  if (!host.framed && !host.opensPages) return null
  return (
    <div class="actions">
      <button type="button" class="main" onClick={() => host.tell({ type: 'lab.exit' })}>
        {text ?? t('stop.exit')}
      </button>
    </div>
  )
}

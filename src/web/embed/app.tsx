// The page as a whole: who it is from, how far along, the screen that is due, and what interrupts it.

import { Brand } from './page/brand.tsx'
import { deferred, Loading, loadDeferred, stuck } from './page/deferred.tsx'
import { here } from './page/here.ts'
import { Progress } from './page/progress.tsx'
import { Title } from './page/title.tsx'
import { ProfileScreen } from './profile/profile-screen.tsx'
import { t } from './text.ts'

export function App() {
  const { session } = here
  return (
    <>
      <header>
        <Brand />
        {deferred.value && <deferred.value.LanguageChoice />}
      </header>
      <Progress />
      <main>
        <div role="status">
          {session.reconnecting.value && deferred.value && <p class="notice">{t('trouble.reconnecting')}</p>}
        </div>
        <Current />
      </main>
      <footer>
        <p>{t('page.footer')}</p>
        {deferred.value && <deferred.value.Help />}
      </footer>
    </>
  )
}

function Current() {
  const { session, memory } = here
  const state = session.state.value
  const view = session.view.value
  if (state === 'failed') return <Failed retry={session.openAgain} />
  if (state === 'opening' && memory.kept.session) return <Loading />
  const due = state === 'open' || state === 'opening' ? (view?.screen ?? 'PROFILE') : 'STOP'
  if (due === 'PROFILE') return <ProfileScreen />
  if (stuck.value) return <Failed retry={() => void loadDeferred()} />
  const Due = deferred.value?.screens[due]
  // New offers arrive on the current screen.
  return Due ? <Due key={due === 'SEARCHING' ? 'OFFERS' : due} /> : <Loading />
}

function Failed({ retry }: { retry(): void }) {
  return (
    <section key="failed">
      <Title lead={t('trouble.busy')}>{t('stop.failed')}</Title>
      <div class="actions">
        <button type="button" class="main" onClick={retry}>
          {t('trouble.again')}
        </button>
      </div>
    </section>
  )
}

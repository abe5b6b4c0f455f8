// The whole page: brand, progress, the current screen, and notices of failures.

import { Brand } from './page/brand.tsx'
import { deferred, hasFailed, Loading, loadDeferred } from './page/deferred-content.tsx'
import { page } from './page/page-state.ts'
import { Progress } from './page/progress-bar.tsx'
import { Title } from './page/title.tsx'
import { ProfileScreen } from './profile/profile-screen.tsx'
import { t } from './text.ts'

export function App() {
  const { session } = page
  // The notice of a failed action says the same, with a button.
  const isReconnecting = session.reconnecting.value && session.failure.value?.kind !== 'offline'
  return (
    <>
      <header>
        <Brand />
        {deferred.value && <deferred.value.LanguageChoice />}
      </header>
      <Progress />
      <main>
        <div role="status">{isReconnecting && deferred.value && <p class="notice">{t('trouble.reconnecting')}</p>}</div>
        {deferred.value && <deferred.value.Back />}
        <CurrentScreen />
        {deferred.value && <deferred.value.Help />}
      </main>
      <footer key={page.titles.value}>
        <p>{t('page.footer')}</p>
      </footer>
    </>
  )
}

function CurrentScreen() {
  const { session, memory, boot } = page
  const state = session.state.value
  const view = session.view.value
  if (state === 'failed') return <Failed retry={session.reopen} />
  if (state === 'opening' && (memory.stored.session || boot.isFormSent)) return <Loading />
  const screenName = state === 'open' || state === 'opening' ? (view?.screen ?? 'PROFILE') : 'STOP'
  if (screenName === 'PROFILE') return <ProfileScreen />
  if (hasFailed.value) return <Failed retry={() => void loadDeferred()} />
  const Screen = deferred.value?.screens[screenName]
  // New offers arrive on the current screen.
  return Screen ? <Screen key={screenName === 'SEARCHING' ? 'OFFERS' : screenName} /> : <Loading />
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

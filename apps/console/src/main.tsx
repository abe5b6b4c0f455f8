// Starts the console: loads the signed-in user, then shows the page of the URL.
import '@lendloom/design/tokens.css'
import '@lendloom/design/controls.css'
import '@lendloom/design/office.css'
import './console.css'
import './ui/components.css'
import './ui/list.css'
import './ui/chart.css'
import './overview/overview.css'
import './journeys/journeys.css'
import './webhooks/webhooks.css'
import './complaints/complaints.css'
import './mail/mail.css'
import './privacy/privacy.css'
import './developers/appearance.css'
import './developers/developers.css'
import './lenders/lenders.css'
import { render } from 'preact'
import { applyTheme } from './colour-theme.ts'
import { Invitation } from './invitation.tsx'
import { followLinks, segments } from './router.ts'
import { isExpired, load, me, signOut, trouble } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { Loading, Trouble } from './ui/components.tsx'
import { Dialog } from './ui/dialog.tsx'

function App() {
  if (segments.value[0] === 'invitation') return <Invitation />
  if (trouble.value)
    return (
      <main class="alone">
        <Trouble error={trouble.value} retry={load} />
      </main>
    )
  if (me.value === undefined)
    return (
      <main class="alone">
        <Loading rows={3} />
      </main>
    )
  if (me.value === null) return <SignIn />
  return (
    <>
      <Shell me={me.value} />
      {isExpired.value && (
        <Dialog title="Sign in again" onClose={() => isExpired.value && signOut()}>
          <p>Your session has ended. What you typed is still here: sign in to continue.</p>
          <SignIn email={me.value.person.email} isInDialog />
        </Dialog>
      )}
    </>
  )
}

applyTheme()
followLinks()
load()
render(<App />, document.body)

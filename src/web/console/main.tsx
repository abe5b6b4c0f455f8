// The console in the browser: finds out who is signed in, then shows what the address says.
import '#kit/design/tokens.css'
import '#kit/design/controls.css'
import '#kit/design/marks.css'
import './console.css'
import './ui/parts.css'
import './ui/list.css'
import './ui/chart.css'
import './overview/overview.css'
import './journeys/journeys.css'
import './webhooks/webhooks.css'
import './grievances/grievances.css'
import './mail/mail.css'
import './developers/appearance.css'
import './developers/developers.css'
import './lenders/lenders.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followLinks } from './router.ts'
import { load } from './session.ts'
import { applyTheme } from './theme.ts'

applyTheme()
followLinks()
load()
render(<App />, document.body)

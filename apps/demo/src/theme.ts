// The demo's colour theme.
import { storedTheme } from '../../../tools/web/theme.ts'

export { themes } from '../../../tools/web/theme.ts'
export const { theme, applyTheme, chooseTheme } = storedTheme('demo-theme')

// The console's colour theme.
import { storedTheme } from '../../../tools/web/theme.ts'

export { themes } from '../../../tools/web/theme.ts'
export const { theme, applyTheme, chooseTheme } = storedTheme('console-theme')

// In which colours the console is shown.
import { themeKeptAs } from '../theme.ts'

export { themes } from '../theme.ts'
export const { theme, applyTheme, chooseTheme } = themeKeptAs('console-theme')

/** The scripts by which shells ask `svc __complete`. Values come from screens and files: none is ever evaluated. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A line of `svc __complete` is a word, a tab and what the word means; this one, with no tab, asks for the names of files. */
export const FILES = ':files'

/**
 * bash cuts words at = and : as well, and replaces only what stands behind the last cut, or behind an open quote. So the
 * words are put together again where the line has no blank between them, and read without their quotes; what is before
 * the cut is taken off the candidates, and the rest is quoted in the way that the person has begun.
 */
const BASH = `# svc completion for bash. To use it: source <(svc completion bash)
# Reads a word without its quotes into "plain"; "quote" is the one that is still open, "cut" what bash leaves alone.
_svc_read() {
  local text=$1 breaks=\${COMP_WORDBREAKS//[^=:@]/} i char next before=
  plain='' quote='' cut=''
  for ((i = 0; i < \${#text}; i++)); do
    char=\${text:i:1}
    next=\${text:i+1:1}
    if [[ $quote == "'" ]]; then
      if [[ $char == "'" ]]; then quote='' cut=$before; else plain+=$char; fi
    elif [[ $char == '"' && $quote == '"' ]]; then quote='' cut=$before
    elif [[ $char == \\\\ && ( -z $quote || $next == [\\$\\\`\\"\\\\] ) ]]; then
      plain+=$next
      ((i++))
    elif [[ -n $quote ]]; then plain+=$char
    elif [[ $char == [\\"\\'] ]]; then quote=$char before=$cut cut=$plain
    else
      # bash leaves the @ itself to us.
      [[ $char == @ && $breaks == *@* ]] && cut=$plain
      plain+=$char
      [[ $char == [=:] && $breaks == *"$char"* ]] && cut=$plain
    fi
  done
}
# Writes a candidate into "quoted", as it has to stand behind the quote that is open. bash adds the closing quote, but
# not where the line ends with one: so a last quote of the text itself is written behind the closing quote.
_svc_quote() {
  local text=$1 i char last
  quoted=
  if [[ -z $quote ]]; then
    [[ -z $text ]] || printf -v quoted %q "$text"
    return
  fi
  for ((i = 0; i < \${#text}; i++)); do
    char=\${text:i:1}
    last=$((i + 1 == \${#text}))
    case $quote$char$last in
      "''1") quoted+="'\\\\'" ;;
      "''0") quoted+="'\\\\''" ;;
      "'"*) quoted+=$char ;;
      '""1') quoted+='"\\"' ;;
      '"!1') quoted+='"\\!""' ;;
      '"!0') quoted+='"\\!"' ;;
      '"'[\\$\\\`\\"\\\\]*) quoted+=\\\\$char ;;
      *) quoted+=$char ;;
    esac
  done
}
_svc() {
  local rest=\${COMP_LINE:0:COMP_POINT} raw=() words=() part bare i found line word plain quote cut quoted
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=\${COMP_WORDS[i]}
    bare=\${rest#"\${rest%%[![:space:]]*}"}
    # The cursor may stand inside the last word.
    ((i == COMP_CWORD)) && part=$bare
    if ((i == 0)) || [[ $bare != "$rest" || -z $bare ]]; then raw+=("$part"); else raw[\${#raw[@]}-1]+=$part; fi
    rest=\${bare#"$part"}
  done
  for word in "\${raw[@]:1}"; do
    _svc_read "$word"
    words+=("$plain")
  done
  COMPREPLY=()
  found=$(svc __complete -- "\${words[@]}" 2>/dev/null) || return
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    if [[ $line == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${plain#"$cut"}")
    elif [[ -n $word ]]; then
      _svc_quote "\${word#"$cut"}"
      COMPREPLY+=("$quoted")
    fi
  done <<<"$found"
}
complete -F _svc svc`

const ZSH = `#compdef svc
# svc completion for zsh. To use it: source <(svc completion zsh)
_svc() {
  local found line word
  local -a described
  found=$(svc __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null) || return
  for line in "\${(@f)found}"; do
    word=\${line%%$'\\t'*}
    case "$line" in
      ('') ;;
      (${FILES}) compset -P '--*='; _files ;;
      (*) word=\${word//\\\\/\\\\\\\\}; described+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#described )) && _describe svc described
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _svc svc`

const FISH = `# svc completion for fish. To use it: svc completion fish | source
function __svc_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # A quote that is still open is closed for the reading.
    set -l plain (string unescape -- $current; or string unescape -- $current'"'; or string unescape -- $current"'"; or printf '%s\\n' $current)
    set -l found (svc __complete -- $before[2..] "$plain" 2>/dev/null); or return
    for line in $found
        if test "$line" = ${FILES}
            __fish_complete_path "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c svc -f -a '(__svc_complete)'`

export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = { bash: BASH, zsh: ZSH, fish: FISH }

//! The names, by language. Data only: a new language is a new entry here.
//!
//! Names are folded when the table is built, so case, accents written apart and punctuation do not matter.
//! The first language that knows a name decides how dates beside it are read.

use super::Label::{self, *};
use crate::handoff::time::read::DayOrder::{self, DayFirst, Unknown};

/// What one language calls things; names are separated by `|`.
pub(super) struct Language {
    /// How `05/10/2026` is meant beside these names.
    pub order: DayOrder,
    /// The names of each label.
    pub names: &'static [(Label, &'static str)],
}

/// All languages.
pub(super) const LANGUAGES: &[Language] = &[
    ENGLISH, CHINESE, JAPANESE, KOREAN, RUSSIAN, PORTUGUESE, SPANISH, VIETNAMESE, GERMAN, TURKISH, PERSIAN,
    FRENCH,
];

const ENGLISH: Language = Language {
    order: Unknown,
    names: &[
        (Title, "title|handoff title"),
        (
            Saved,
            "saved|saved at|saved on|last updated|last update|updated|updated at|updated on|last saved|last modified|modified|generated|generated at|generated on|timestamp|time stamp|handoff date|handoff time|handed off|handed off at|written|written at|written on|as of|paused at|paused|exported at|captured|captured at|last session|session date|session end|session ended|ended|ended at|date of handoff|date and time|date time|datetime|last edited|recorded|recorded at|snapshot|snapshot at|snapshot date|last touched|last activity|last worked on|last active|last change|as at|handoff created|handoff written|handoff generated|handoff saved|prepared|prepared on|handover date|written up",
        ),
        (Dated, "date|day|when|time"),
        (
            Created,
            "created|created at|created on|creation date|date created|started|started at|session start|session started|began",
        ),
        (
            Branch,
            "branch|current branch|git branch|working branch|active branch|branch name|feature branch|head branch|on branch|work branch|checked out branch|checked out|local branch|topic branch|branch and head|branch head|branch commit|branch and commit|git branch name|dev branch|branch at handoff|branch at save|branch at pause|branch at end|repo branch",
        ),
        (
            Commit,
            "commit|head|last commit|latest commit|head commit|git head|current commit|commit hash|commit id|commit sha|head sha|git commit|sha|git sha|revision|commit at handoff|head at handoff|head hash|last commit hash|latest commit hash|last commit sha|tip|branch tip|at commit|tip commit|most recent commit|last commit id|newest commit|head at save|head revision|current head|git revision|git hash|commit at save|last git commit|latest git commit|head git commit|head id|head is",
        ),
        (
            Phase,
            "phase|current phase|stage|current stage|phase or stage|phase stage|project phase|active phase|workflow stage",
        ),
        (Status, "status|current status|overall status|state|session status|phase status"),
        (
            Next,
            "next|next step|next steps|next action|next actions|next up|whats next|what is next|what comes next|to do next|do next|todo next|do this next|do first|do this first|next task|next tasks|next session|for the next session|next session should|start here|start with|resume here|resume at|resume from|continue here|continue with|continue from here|pick up here|where to pick up|where to start|where to resume|how to resume|how to continue|first thing to do|first steps|first step|immediate next steps|immediate next action|immediate next step|immediate actions|action items|what to do next|what to do first|upcoming|up next|then|on deck|first action|next work|next move|next moves|next things|coming next|next actions in order|the next step|the next steps|immediate|immediately|next agent should|for the next agent|for next session|next session plan|next session tasks|next session goals|next session priorities|next priorities|recommended next steps|suggested next steps|next immediate step|your next step|resume|resuming|plan for next session|in the morning|tomorrow|when you return|when you come back",
        ),
        (
            Todo,
            "todo|to do|todos|remaining|remaining work|remaining tasks|what remains|still to do|left to do|whats left|what is left|remaining steps|still to be done|whats left to do|what is left to do",
        ),
        (
            Blockers,
            "blockers|blocker|blocked|blocked by|blocked on|blocking|blocking issues|current blockers|known blockers|open blockers|waiting on|waiting for|obstacles|obstacle|impediments|impediment|stuck|stuck on|whats blocking|what is blocking|whats blocking us|what is blocking us|what blocks|what blocks us|in the way|whats in the way|what is in the way|what stands in the way|blocking issue|blocking problems|held up by|hold ups|holdups|whats blocked|what is blocked|show stoppers|showstoppers|blocked items|active blockers|blocks|whats stuck|cannot proceed because|depends on others|road blocks|roadblocks",
        ),
        (
            Trouble,
            "open problems|open problem|open issues|problems|trouble|troubles|issues|current problems|current issues|what hurts|what is broken|whats broken|difficulties",
        ),
        (
            Decisions,
            "decisions|decision|key decisions|key decisions made|decisions made|decided|what was decided|what we decided|decision log|design decisions|choices|decisions this session|settled",
        ),
        (
            Open,
            "open questions|open question|questions|open items|unresolved|unknowns|open unknowns|to clarify|unresolved questions|open points|undecided|pending tasks|pending work|backlog|open tasks|unfinished|unfinished work|not started|outstanding|outstanding work|not done yet",
        ),
        (
            Past,
            "done|completed|completed tasks|what was done|what got done|finished|accomplished|changes|what changed|what i did|what we did|progress|commits|commits of this sitting|commit list|recent commits|history|log|changelog|work done|session summary|previous sessions|previous session|last session summary|what happened|what happened this session|this session|session log|in progress|done this session|completed this session|what works|merged|recently merged|earlier|earlier sessions|archive|output|commands|how to run|how to verify|verification|how to test|tests|test results|files|files changed|changed files|key files|references|links|gotchas|notes|session notes|later|do not touch|example|examples|sample|samples|landed|shipped|past sessions|older entries",
        ),
        (
            Facts,
            "git|git state|git status|repository|repo|repo state|repository state|where it stands|where things stand|where we are|current state|state of play|state of the tree|metadata|meta|header|context|overview|summary|tldr|tl dr|at a glance|quick facts|facts|environment|session info|session|session metadata|info|snapshot of the repo|status snapshot|version control|vcs|coordinates|working tree|key facts|quick status|front page",
        ),
    ],
};

const CHINESE: Language = Language {
    order: Unknown,
    names: &[
        (Title, "标题|標題"),
        (
            Saved,
            "更新时间|更新時間|更新日期|更新于|更新於|最后更新|最後更新|最后更新时间|最后更新日期|最近更新|保存时间|保存时刻|儲存時間|保存于|生成时间|產生時間|生成日期|交接时间|交接日期|交接時間|写于|记录时间|記錄時間|记录日期|截至|截止|暂停时间",
        ),
        (Dated, "日期|时间|時間"),
        (Created, "创建时间|創建時間|建立时间|建立時間|创建日期|建立日期|开始时间"),
        (
            Branch,
            "分支|当前分支|當前分支|目前分支|工作分支|开发分支|開發分支|git 分支|所在分支|分支名|分支名称|分支名稱",
        ),
        (
            Commit,
            "提交|当前提交|當前提交|目前提交|最新提交|最近提交|最后提交|最後提交|最近一次提交|最新一次提交|最后一次提交|提交哈希|提交号|commit 哈希|头提交|最新 commit|当前 commit|最后 commit|最近 commit|提交 id|头部提交",
        ),
        (Phase, "阶段|階段|当前阶段|當前階段|目前阶段|目前階段|所处阶段|项目阶段"),
        (Status, "状态|狀態|当前状态|當前狀態|目前状态"),
        (
            Next,
            "下一步|下一步计划|下一步計劃|下一步计畫|下一步行动|下一步行動|下一步工作|下一步任务|下一步操作|下步|下步计划|接下来|接下來|接下来要做|接下来要做的|接下来要做的事|接下来做什么|接下来的工作|接下来的步骤|后续步骤|後續步驟|后续工作|后续计划|后续|下次|下次继续|下次会话|下次开始|从这里继续|从这里开始|继续|接手先做|先做什么|先做|后续任务|下一项|下一个任务|后续行动|下一步做什么|明天",
        ),
        (
            Todo,
            "待办|待辦|待办事项|待辦事項|未完成|剩余工作|剩餘工作|剩余任务|待完成|尚未完成|待处理|未完成事项|待做|还没做",
        ),
        (
            Blockers,
            "阻塞|阻塞项|阻塞項|阻塞点|阻塞點|阻塞问题|阻塞問題|阻塞事项|当前阻塞|阻碍|阻礙|障碍|障礙|卡点|卡點|卡住|卡住的地方|卡在哪里|受阻|等待|等待中|等待事项|被阻塞|阻断|阻断项|瓶颈|堵点",
        ),
        (
            Trouble,
            "问题|問題|当前问题|目前问题|遗留问题|遺留問題|存在的问题|存在问题|已知问题与阻塞|难点|困难|遇到的问题",
        ),
        (
            Decisions,
            "决定|決定|决策|決策|关键决定|关键决策|關鍵決策|重要决定|已做决定|已定事项|设计决策|已决定",
        ),
        (Open, "未决问题|待确认|待確認|开放问题|待定|待定问题|未决|疑问|未解问题|待讨论|悬而未决|待澄清"),
        (
            Past,
            "已完成|完成|已做|完成情况|做了什么|本次完成|进展|進展|历史|歷史|日志|提交记录|提交列表|命令|验证|测试|文件|备注|注意事项|参考|示例|不要动|不要碰|说明|变更|以后",
        ),
        (
            Facts,
            "git 状态|仓库状态|倉庫狀態|仓库|当前情况|現狀|现状|概况|概況|概要|摘要|背景|上下文|基本信息|基本資訊|元信息|环境|先看这里|版本库|信息|总览|代码状态|git 信息",
        ),
    ],
};

const JAPANESE: Language = Language {
    order: Unknown,
    names: &[
        (Title, "題名|タイトル"),
        (
            Saved,
            "更新日時|更新日|最終更新|最終更新日|最終更新日時|保存日時|作成日時|生成日時|記録日時|引き継ぎ日時|引継ぎ日時|引き継ぎ日|引継ぎ日|引継日|引継日時|時点|記入日|記録日|更新|保存",
        ),
        (Dated, "日付|日時"),
        (Created, "作成日|作成|開始日|開始日時"),
        (Branch, "ブランチ|現在のブランチ|作業ブランチ|対象ブランチ|ブランチ名|git ブランチ|現ブランチ"),
        (
            Commit,
            "コミット|最新コミット|現在のコミット|最終コミット|直近のコミット|直近コミット|最後のコミット|最新のコミット|コミットハッシュ|先頭コミット|コミット id|現コミット",
        ),
        (Phase, "フェーズ|現在のフェーズ|段階|現在の段階|工程|ステージ|現フェーズ"),
        (Status, "状態|ステータス|状況|現在の状態"),
        (
            Next,
            "次にやること|次にすること|次の作業|次のステップ|次の手順|次の一手|次のアクション|次の行動|次のタスク|次回|次回やること|次回の作業|今後の作業|今後の予定|今後|これからやること|ここから再開|再開方法|再開地点|続き|次|次に行うこと|次のセッション|次の担当者へ|まずやること|最初にやること|次に|次回作業|明日",
        ),
        (
            Todo,
            "残作業|残り|残タスク|残件|未完了|未着手|やること|todo リスト|残っている作業|残りの作業|未対応",
        ),
        (
            Blockers,
            "ブロッカー|阻害要因|障害|詰まっている点|詰まっているところ|詰まり|止まっていること|止まっている理由|待ち|待ち事項|待っていること|ブロック|ブロックされている項目|妨げ|困っていること|障壁|停滞要因|ネック|ブロック中",
        ),
        (Trouble, "課題|問題|問題点|懸念|未解決の問題|未解決の課題|現在の課題"),
        (Decisions, "決定|決定事項|決めたこと|判断|主な決定|設計判断|決定したこと|重要な決定"),
        (Open, "未決事項|未解決|質問|確認事項|未確認|不明点|要確認|未定|疑問点|検討事項|保留"),
        (
            Past,
            "完了|完了したこと|やったこと|終わったこと|済み|実施内容|作業内容|変更点|変更内容|履歴|ログ|コミット一覧|コマンド|確認方法|検証|テスト|ファイル|備考|メモ|注意|注意点|参考|例|触らないもの|後で|進捗",
        ),
        (
            Facts,
            "git の状態|git 状態|リポジトリ|リポジトリの状態|現状|現在地|概要|要約|背景|基本情報|環境|メタ情報|情報|コンテキスト|いまの状態|今の状態",
        ),
    ],
};

const KOREAN: Language = Language {
    order: Unknown,
    names: &[
        (Title, "제목"),
        (
            Saved,
            "작성일|작성일시|작성 일시|작성 시각|작성시각|작성 시간|갱신|갱신일|갱신일시|최종 갱신|마지막 갱신|업데이트|최종 업데이트|마지막 업데이트|업데이트 일시|수정일|최종 수정|최종 수정일|마지막 수정|저장|저장 시각|저장일시|저장 일시|인계일|인계 일시|인계 시각|기록일|기록 일시|기준|기준일|생성 시각",
        ),
        (Dated, "날짜|일시|일자|시각"),
        (Created, "생성일|생성 일시|시작일|시작 시각"),
        (Branch, "브랜치|현재 브랜치|작업 브랜치|브랜치명|브랜치 이름|git 브랜치|깃 브랜치"),
        (
            Commit,
            "커밋|최신 커밋|최근 커밋|마지막 커밋|현재 커밋|최종 커밋|커밋 해시|커밋 id|헤드 커밋|헤드|head 커밋",
        ),
        (Phase, "단계|현재 단계|진행 단계|페이즈|현재 페이즈"),
        (Status, "상태|현재 상태|진행 상태"),
        (
            Next,
            "다음 작업|다음 단계|다음 할 일|다음에 할 일|다음으로 할 일|다음 할일|다음|다음 행동|다음 액션|다음 순서|다음 세션|다음 세션에서 할 일|이어서 할 일|이어서 할 작업|이어 할 일|앞으로 할 일|향후 작업|재개 지점|여기서 시작|여기서 이어서|다음 걸음|바로 할 일|먼저 할 일|이어하기|내일",
        ),
        (Todo, "할 일|할일|남은 일|남은 작업|남은 할 일|미완료|해야 할 일|미완료 작업"),
        (
            Blockers,
            "막힌 점|막힌 것|막힌 곳|막힌 부분|막힘|블로커|차단|차단 요인|차단 사항|장애물|장애 요인|장애|걸림돌|대기|대기 중|기다리는 것|기다리는 중|방해 요소|차단 요소|저해 요인|막고 있는 것",
        ),
        (Trouble, "문제|문제점|이슈|현재 문제|미해결 문제|열린 문제|남은 문제|골칫거리"),
        (Decisions, "결정|결정 사항|결정사항|정한 것|주요 결정|핵심 결정|설계 결정"),
        (Open, "열린 질문|미해결|미결 사항|미결|질문|확인 필요|확인할 것|미정|논의 필요|미해결 질문"),
        (
            Past,
            "끝낸 일|완료|완료한 일|한 일|완료된 작업|완료 사항|진행|변경|변경 사항|이력|기록|로그|커밋 목록|명령|명령어|검증|확인 방법|테스트|파일|비고|메모|참고|주의|알아 둘 것|예시|건드리지 말 것|나중에",
        ),
        (
            Facts,
            "git 상태|깃 상태|저장소|저장소 상태|현황|현재 상황|개요|요약|배경|기본 정보|환경|정보|컨텍스트|메타",
        ),
    ],
};

const RUSSIAN: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "название|заголовок"),
        (
            Saved,
            "обновлено|обновлен|последнее обновление|дата обновления|сохранено|сохранен|время сохранения|записано|составлено|сформировано|создано и сохранено|дата передачи|передано|по состоянию на|на момент|дата сохранения|дата записи|время записи|актуально на",
        ),
        (Dated, "дата|время|дата и время"),
        (Created, "создано|дата создания|начато|начало"),
        (
            Branch,
            "ветка|текущая ветка|рабочая ветка|ветка git|git ветка|имя ветки|активная ветка|в ветке|на ветке",
        ),
        (
            Commit,
            "коммит|последний коммит|текущий коммит|хеш коммита|хэш коммита|хеш|хэш|ревизия|head коммит|вершина|на коммите|последняя фиксация|крайний коммит|голова|id коммита|свежий коммит",
        ),
        (Phase, "фаза|этап|стадия|текущая фаза|текущий этап|текущая стадия"),
        (Status, "статус|состояние|текущий статус"),
        (
            Next,
            "следующий шаг|следующие шаги|дальше|что дальше|следующее действие|следующие действия|следующая задача|следующие задачи|далее|дальнейшие шаги|дальнейшие действия|что делать дальше|с чего начать|начать отсюда|продолжить отсюда|продолжить с|ближайшие шаги|ближайший шаг|первым делом|следующая сессия|план на следующую сессию|начать с|завтра|ближайшие задачи",
        ),
        (
            Todo,
            "осталось|что осталось|осталось сделать|сделать|к выполнению|нужно сделать|не сделано|незавершенное|список дел|остаток работы|задачи",
        ),
        (
            Blockers,
            "блокеры|блокер|блокировки|блокировка|заблокировано|препятствия|препятствие|что мешает|мешает|ожидание|ждем|ожидаем|в ожидании|помехи|преграды|затыки|стопоры|стоп факторы|что блокирует|чего ждем|на чем стоим",
        ),
        (
            Trouble,
            "проблемы|проблема|открытые проблемы|трудности|сложности|нерешенные проблемы|текущие проблемы|известные трудности",
        ),
        (Decisions, "решения|решение|принятые решения|ключевые решения|что решили|решено|что решено"),
        (
            Open,
            "открытые вопросы|вопросы|открытый вопрос|неясно|неясности|нерешенное|нерешенные вопросы|под вопросом|уточнить",
        ),
        (
            Past,
            "что сделано|сделано|готово|выполнено|завершено|изменения|история|журнал|лог|коммиты|список коммитов|команды|как проверять|как проверить|проверка|тесты|файлы|примечания|заметки|ссылки|пример|не трогать|потом|позже|ход работы|прогресс",
        ),
        (
            Facts,
            "git|состояние git|состояние репозитория|репозиторий|где мы|где остановились|текущее состояние|сводка|обзор|контекст|кратко|окружение|метаданные|общее|сведения|информация|текущее положение",
        ),
    ],
};

const PORTUGUESE: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "título"),
        (
            Saved,
            "atualizado em|atualizado|última atualização|ultima atualizacao|salvo em|salvo|gravado em|gerado em|data da passagem|data do handoff|escrito em|registrado em|em data de|data da entrega|pausado em",
        ),
        (Dated, "data|data e hora|data hora|quando"),
        (Created, "criado em|criado|data de criação|início|iniciado em"),
        (
            Branch,
            "ramo|branch atual|ramo atual|ramo de trabalho|branch de trabalho|nome do ramo|branch ativa|branch ativo|no ramo",
        ),
        (
            Commit,
            "último commit|ultimo commit|commit atual|commit mais recente|hash do commit|commit do head|revisão|último commit feito",
        ),
        (Phase, "fase|fase atual|etapa|etapa atual|estágio|estágio atual"),
        (Status, "situação|estado atual|status atual"),
        (
            Next,
            "próximo passo|próximos passos|próxima ação|próximas ações|a seguir|próxima tarefa|próximas tarefas|o que fazer agora|o que fazer a seguir|o que vem a seguir|o que fazer em seguida|comece aqui|começar aqui|continuar aqui|retomar aqui|por onde continuar|por onde começar|próxima sessão|passos seguintes|seguinte|em seguida|depois disso|primeiro passo|amanhã",
        ),
        (
            Todo,
            "pendente|pendências|tarefas pendentes|falta fazer|o que falta|a fazer|por fazer|restante|tarefas restantes|tarefas",
        ),
        (
            Blockers,
            "bloqueios|bloqueio|bloqueadores|bloqueador|bloqueado|bloqueado por|impedimentos|impedimento|obstáculos|aguardando|esperando|à espera|à espera de|em espera|o que bloqueia|o que está bloqueando|o que impede|travado|travas|entraves|empecilhos|o que está travado",
        ),
        (Trouble, "problemas|problemas abertos|problemas em aberto|dificuldades|problemas atuais"),
        (
            Decisions,
            "decisões|decisões tomadas|decisões principais|decisões chave|decisão|o que foi decidido|decidido",
        ),
        (
            Open,
            "perguntas abertas|questões abertas|questões em aberto|dúvidas|em aberto|pontos em aberto|perguntas|perguntas em aberto",
        ),
        (
            Past,
            "feito|concluído|o que foi feito|realizado|terminado|mudanças|alterações|histórico|registro|comandos|como verificar|verificação|testes|arquivos|notas|observações|referências|exemplo|não mexer|depois|progresso|pronto",
        ),
        (
            Facts,
            "estado do git|estado do repositório|repositório|onde estamos|onde paramos|resumo|visão geral|contexto|ambiente|metadados|informações|dados",
        ),
    ],
};

const SPANISH: Language = Language {
    order: DayFirst,
    names: &[
        (
            Saved,
            "actualizado|actualizado el|actualizado en|última actualización|guardado|guardado el|generado|generado el|escrito el|fecha de traspaso|fecha del traspaso|fecha de entrega|fecha de relevo|fecha del relevo|registrado el|a fecha de|fecha de actualización|última edición|pausado el",
        ),
        (Dated, "fecha|fecha y hora|día"),
        (Created, "creado|creado el|fecha de creación|inicio|iniciado"),
        (Branch, "rama|rama actual|rama de trabajo|rama activa|rama git|nombre de la rama|en la rama"),
        (
            Commit,
            "último commit|commit actual|commit más reciente|hash del commit|revisión|última confirmación|último envío|confirmación|commit de cabecera",
        ),
        (Phase, "fase|fase actual|etapa|etapa actual"),
        (Status, "estado|situación|estado actual"),
        (
            Next,
            "próximo paso|próximos pasos|siguiente paso|siguientes pasos|siguiente|siguiente acción|próxima acción|próximas acciones|siguiente tarea|próxima tarea|próximas tareas|qué sigue|lo que sigue|qué hacer ahora|a continuación|empezar aquí|empieza aquí|continuar aquí|retomar aquí|por dónde seguir|por dónde empezar|próxima sesión|siguiente sesión|qué hacer a continuación|primer paso|pasos siguientes|mañana|acciones siguientes|lo siguiente",
        ),
        (
            Todo,
            "pendiente|pendientes|tareas pendientes|por hacer|falta|lo que falta|queda por hacer|tareas restantes|trabajo pendiente|tareas|qué falta",
        ),
        (
            Blockers,
            "bloqueos|bloqueo|bloqueadores|bloqueantes|bloqueante|bloqueado|bloqueado por|impedimentos|impedimento|obstáculos|obstáculo|a la espera|a la espera de|en espera|en espera de|esperando|qué bloquea|lo que bloquea|atascado|atascos|trabas|qué nos frena",
        ),
        (Trouble, "problemas|problemas abiertos|dificultades|problemas actuales|incidencias"),
        (
            Decisions,
            "decisiones|decisiones tomadas|decisiones clave|decisión|lo que se decidió|decidido|acordado",
        ),
        (
            Open,
            "preguntas abiertas|cuestiones abiertas|dudas|por aclarar|preguntas|puntos abiertos|sin resolver",
        ),
        (
            Past,
            "hecho|completado|lo hecho|lo que se hizo|terminado|realizado|cambios|historial|registro|comandos|cómo verificar|cómo comprobar|verificación|pruebas|archivos|ficheros|notas|referencias|ejemplo|no tocar|más tarde|progreso|avances|qué se hizo",
        ),
        (
            Facts,
            "estado de git|estado del repositorio|repositorio|dónde estamos|dónde quedamos|resumen|contexto|entorno|metadatos|información|datos|situación actual|panorama",
        ),
    ],
};

const VIETNAMESE: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "tiêu đề"),
        (
            Saved,
            "cập nhật|cập nhật lúc|cập nhật lần cuối|lần cập nhật cuối|cập nhật cuối|ngày cập nhật|thời gian cập nhật|lưu lúc|ngày lưu|ngày bàn giao|thời điểm bàn giao|thời gian bàn giao|bàn giao lúc|viết lúc|ngày viết|tạo lúc|ghi lúc|tính đến|cập nhật ngày",
        ),
        (Dated, "ngày|thời gian|ngày giờ|thời điểm"),
        (Created, "ngày tạo|bắt đầu"),
        (Branch, "nhánh|nhánh hiện tại|nhánh làm việc|nhánh đang làm|nhánh git|tên nhánh|trên nhánh"),
        (
            Commit,
            "commit gần nhất|commit mới nhất|commit cuối|commit cuối cùng|commit hiện tại|mã commit|lần commit cuối|bản commit gần nhất|hash commit",
        ),
        (Phase, "giai đoạn|giai đoạn hiện tại|bước hiện tại|pha|pha hiện tại"),
        (Status, "trạng thái|tình trạng|trạng thái hiện tại"),
        (
            Next,
            "việc tiếp theo|bước tiếp theo|việc cần làm tiếp theo|các bước tiếp theo|tiếp theo|việc cần làm tiếp|cần làm tiếp|việc kế tiếp|bước kế tiếp|công việc tiếp theo|hành động tiếp theo|làm gì tiếp|làm gì tiếp theo|phiên tiếp theo|phiên sau|bắt đầu từ đây|tiếp tục từ đây|kế tiếp|làm tiếp|những việc tiếp theo|ngày mai|việc làm tiếp",
        ),
        (Todo, "còn lại|việc còn lại|chưa xong|chưa làm|việc cần làm|cần làm|công việc còn lại"),
        (
            Blockers,
            "vướng mắc|trở ngại|bị chặn|đang chặn|điểm nghẽn|chặn|rào cản|đang chờ|chờ|chờ đợi|bế tắc|cản trở|đang vướng|đang bị chặn|tắc nghẽn|điểm tắc|vướng",
        ),
        (Trouble, "vấn đề|khó khăn|vấn đề tồn đọng|vấn đề còn mở|vấn đề hiện tại|tồn đọng"),
        (Decisions, "quyết định|các quyết định|quyết định chính|đã quyết định|quyết định quan trọng"),
        (Open, "câu hỏi mở|câu hỏi|chưa rõ|cần làm rõ|câu hỏi còn mở|điểm chưa rõ"),
        (
            Past,
            "đã xong|đã làm|hoàn thành|đã hoàn thành|thay đổi|lịch sử|nhật ký|lệnh|cách kiểm tra|kiểm tra|kiểm thử|tệp|ghi chú|tham khảo|ví dụ|không động vào|để sau|tiến độ|việc đã làm",
        ),
        (
            Facts,
            "trạng thái git|tình trạng git|kho mã|kho|tóm tắt|tổng quan|bối cảnh|ngữ cảnh|môi trường|thông tin|hiện trạng|tình hình",
        ),
    ],
};

const GERMAN: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "titel"),
        (
            Saved,
            "stand|stand vom|aktualisiert|aktualisiert am|zuletzt aktualisiert|zuletzt aktualisiert am|letzte aktualisierung|letzte änderung|zuletzt geändert|gespeichert|gespeichert am|gesichert|gesichert am|erzeugt|erzeugt am|generiert am|geschrieben am|übergabe am|übergabedatum|datum der übergabe|übergeben am|zeitstempel|zeitpunkt|erfasst am|notiert am",
        ),
        (Dated, "datum|zeit|datum uhrzeit|datum und uhrzeit"),
        (Created, "erstellt|erstellt am|begonnen|begonnen am|angelegt am"),
        (
            Branch,
            "zweig|aktueller branch|aktueller zweig|arbeitsbranch|arbeitszweig|git branch|branch name|branchname|auf dem branch|auf branch",
        ),
        (
            Commit,
            "letzter commit|aktueller commit|neuester commit|commit hash|revision|letzter stand im git|jüngster commit|spitze",
        ),
        (Phase, "phase|aktuelle phase|etappe|stufe|aktuelle stufe|abschnitt"),
        (Status, "zustand|aktueller status|aktueller stand"),
        (
            Next,
            "nächster schritt|nächste schritte|als nächstes|weiter mit|weiter|nächste aufgabe|nächste aufgaben|nächste aktion|nächste aktionen|wie weiter|so geht es weiter|wie es weitergeht|was als nächstes|was kommt als nächstes|hier weitermachen|hier anfangen|zuerst|fortsetzen mit|nächste sitzung|für die nächste sitzung|was als nächstes zu tun ist|danach|hier geht es weiter|weiteres vorgehen|morgen|als nächstes zu tun",
        ),
        (
            Todo,
            "offen|offene aufgaben|noch zu tun|zu tun|restarbeiten|verbleibend|ausstehend|aufgaben|noch offen|rest|was noch fehlt",
        ),
        (
            Blockers,
            "blocker|blockiert|blockiert durch|blockaden|blockade|hindernisse|hindernis|wartet auf|warten auf|warte auf|hängt an|was blockiert|was im weg steht|hemmnisse|steht im weg|was aufhält|woran es hängt|es hängt an|blockierer",
        ),
        (Trouble, "probleme|offene probleme|schwierigkeiten|aktuelle probleme|ärger"),
        (
            Decisions,
            "entscheidungen|entscheidung|getroffene entscheidungen|wichtige entscheidungen|entschieden|beschlossen|was entschieden wurde",
        ),
        (Open, "offene fragen|fragen|offene punkte|ungeklärt|unklar|zu klären|offene frage"),
        (
            Past,
            "erledigt|fertig|was erledigt ist|was gemacht wurde|abgeschlossen|änderungen|verlauf|protokoll|commits dieser sitzung|befehle|prüfen|so prüfen|tests|dateien|hinweise|notizen|anmerkungen|verweise|beispiel|nicht anfassen|später|fortschritt|geschafft|gemacht",
        ),
        (
            Facts,
            "git stand|git status|stand der dinge|stand im repository|repository|repo|wo wir stehen|überblick|übersicht|zusammenfassung|kontext|kurzfassung|umgebung|metadaten|angaben|lage|kopfdaten|eckdaten|git zustand",
        ),
    ],
};

const TURKISH: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "başlık"),
        (
            Saved,
            "güncellendi|güncelleme|son güncelleme|güncelleme tarihi|son güncelleme tarihi|güncellenme|kaydedildi|kayıt zamanı|kayıt tarihi|oluşturulma zamanı|devir tarihi|devir zamanı|yazıldı|yazıldığı tarih|devir teslim tarihi|itibarıyla|teslim tarihi",
        ),
        (Dated, "tarih|zaman|tarih ve saat|tarih saat|gün"),
        (Created, "oluşturuldu|oluşturma tarihi|başlangıç"),
        (Branch, "dal|mevcut dal|şu anki dal|çalışma dalı|geçerli dal|git dalı|aktif dal|dal adı|dalda"),
        (
            Commit,
            "son commit|son işleme|mevcut commit|güncel commit|son kayıt commit|commit özeti|son gönderim|en son commit|geçerli commit",
        ),
        (Phase, "aşama|mevcut aşama|şu anki aşama|faz|evre|mevcut faz|geçerli aşama"),
        (Status, "durum|mevcut durum|güncel durum"),
        (
            Next,
            "sonraki adım|sonraki adımlar|sıradaki adım|sıradaki adımlar|sıradaki|sıradaki iş|sıradaki işler|bir sonraki adım|sonraki iş|sonraki görev|sonraki görevler|sonraki eylem|sırada ne var|şimdi ne yapmalı|ne yapılacak|buradan devam|buradan devam et|buradan başla|sonraki oturum|devamı|yapılacak ilk iş|önce|bundan sonra|sonrası|yarın|şimdi yapılacaklar",
        ),
        (Todo, "yapılacaklar|kalan işler|kalanlar|kalan|bekleyen işler|yapılacak işler|eksikler"),
        (
            Blockers,
            "engeller|engel|engelleyenler|engelleyen|engellendi|tıkanıklıklar|tıkanıklık|takılınan yer|takılan yerler|takıldığımız yer|bekleyenler|bekleniyor|beklenen|beklemede|önümüzdeki engeller|engelleyiciler|darboğaz|takılanlar|bloke",
        ),
        (Trouble, "sorunlar|sorun|açık sorunlar|sıkıntılar|problemler|mevcut sorunlar"),
        (Decisions, "kararlar|karar|alınan kararlar|önemli kararlar|temel kararlar"),
        (Open, "açık sorular|sorular|belirsizlikler|netleşmeyenler|açık konular|cevapsız sorular"),
        (
            Past,
            "yapılanlar|tamamlananlar|bitenler|tamamlandı|bitti|değişiklikler|geçmiş|günlük|komutlar|nasıl doğrulanır|doğrulama|testler|dosyalar|notlar|kaynaklar|örnek|dokunma|dokunulmayacaklar|sonra|ilerleme|yapıldı|biten işler",
        ),
        (
            Facts,
            "git durumu|depo|depo durumu|özet|genel bakış|bağlam|ortam|bilgiler|bilgi|neredeyiz|üst veri|künye",
        ),
    ],
};

const PERSIAN: Language = Language {
    order: Unknown,
    names: &[
        (Title, "عنوان"),
        (
            Saved,
            "آخرین به‌روزرسانی|به‌روزرسانی|به روزرسانی|آخرین به روز رسانی|به روز رسانی|زمان ذخیره|ذخیره شده در|تاریخ ذخیره|تاریخ تحویل|زمان تحویل|آخرین ویرایش|آخرین تغییر|تاریخ نگارش|تاریخ به‌روزرسانی|زمان به‌روزرسانی|نوشته شده در",
        ),
        (Dated, "تاریخ|زمان|تاریخ و ساعت"),
        (Created, "تاریخ ایجاد|ایجاد شده|زمان ایجاد|شروع"),
        (
            Branch,
            "شاخه|شاخه‌ی فعلی|شاخه فعلی|شاخه‌ی کاری|شاخه کاری|شاخه جاری|شاخه‌ی جاری|برنچ|شاخه گیت|نام شاخه|شاخه‌ی کنونی|شاخه کنونی|برنچ فعلی",
        ),
        (
            Commit,
            "کامیت|آخرین کامیت|کامیت فعلی|آخرین تغییر ثبت شده|کامیت جاری|شناسه کامیت|کامیت آخر|هش کامیت|تازه‌ترین کامیت|آخرین ثبت",
        ),
        (Phase, "مرحله|مرحله‌ی فعلی|مرحله فعلی|مرحله کنونی|مرحله‌ی کنونی|فاز|فاز فعلی|مرحله جاری|مرحله‌ی جاری"),
        (Status, "وضعیت"),
        (
            Next,
            "گام بعدی|گام‌های بعدی|گام های بعدی|قدم بعدی|قدم‌های بعدی|قدم های بعدی|کار بعدی|کارهای بعدی|اقدام بعدی|اقدامات بعدی|مرحله بعد|مرحله‌ی بعد|ادامه کار|ادامه‌ی کار|ادامه|از این‌جا ادامه بده|از اینجا شروع کن|بعدی|نشست بعدی|جلسه بعد|جلسه‌ی بعد|چه باید کرد|فردا|گام بعد|قدم بعد",
        ),
        (
            Todo,
            "کارهای باقی‌مانده|باقی‌مانده|باقی مانده|کارهای مانده|کارهای ناتمام|انجام نشده|کارهای باقی مانده|ناتمام",
        ),
        (
            Blockers,
            "موانع|مانع|مانع‌ها|گیرها|گیر|گره‌ها|گلوگاه|منتظر|در انتظار|بلاکر|بلاکرها|بن‌بست|سد راه|بازدارنده‌ها|متوقف شده|گیر کار",
        ),
        (Trouble, "مشکلات|مشکل|مشکل‌ها|دشواری‌ها|مسائل باز|مسائل|ایرادها"),
        (Decisions, "تصمیم‌ها|تصمیم ها|تصمیمات|تصمیم|تصمیم‌های کلیدی|تصمیم‌های گرفته شده|تصمیمات کلیدی"),
        (Open, "پرسش‌های باز|پرسش ها|سوالات|سوالات باز|سؤالات باز|ابهام‌ها|ابهامات|پرسش‌ها|نامشخص"),
        (
            Past,
            "انجام‌شده|انجام شده|کارهای انجام‌شده|کارهای انجام شده|تمام شده|تغییرات|تاریخچه|گزارش|دستورها|دستورات|آزمون‌ها|تست‌ها|فایل‌ها|پرونده‌ها|یادداشت‌ها|نکته‌ها|نمونه|مثال|دست نزن|بعدا|پیشرفت|آنچه انجام شد",
        ),
        (
            Facts,
            "وضعیت کنونی|وضعیت فعلی|وضعیت گیت|وضعیت مخزن|مخزن|خلاصه|زمینه|پیش‌زمینه|محیط|اطلاعات|مشخصات|وضعیت جاری|نمای کلی",
        ),
    ],
};

const FRENCH: Language = Language {
    order: DayFirst,
    names: &[
        (Title, "titre"),
        (
            Saved,
            "mis à jour|mis à jour le|dernière mise à jour|mise à jour|enregistré le|sauvegardé le|généré le|écrit le|date de passation|date de relève",
        ),
        (Created, "créé le|date de création"),
        (Branch, "branche|branche actuelle|branche courante|branche de travail|sur la branche"),
        (Commit, "dernier commit|commit actuel|commit courant"),
        (Phase, "étape actuelle|phase actuelle|étape en cours|phase en cours"),
        (Status, "statut|état"),
        (
            Next,
            "prochaine étape|prochaines étapes|étapes suivantes|étape suivante|à faire ensuite|prochaine action|prochaines actions|la suite|reprendre ici|commencer ici|ensuite",
        ),
        (Todo, "à faire|reste à faire|restant"),
        (
            Blockers,
            "blocages|blocage|bloqué|bloqué par|bloquants|points bloquants|obstacles|en attente|en attente de",
        ),
        (Trouble, "problèmes|problèmes ouverts|difficultés"),
        (Decisions, "décisions|décisions prises|décidé"),
        (Open, "questions ouvertes|points ouverts"),
        (
            Past,
            "fait|terminé|ce qui est fait|changements|historique|commandes|vérification|fichiers|remarques|exemple|plus tard|ne pas toucher",
        ),
        (Facts, "état git|dépôt|où nous en sommes|aperçu|résumé|contexte|environnement|informations"),
    ],
};

/// Section names that still mean the same with more words around them; folded.
pub(super) const LOOSE: &[&str] = &[
    "next steps",
    "next step",
    "next actions",
    "next action",
    "next session",
    "blockers",
    "blocked on",
    "blocked by",
    "waiting on",
    "waiting for",
    "open questions",
    "key decisions",
    "decisions made",
    "current state",
    "git state",
    "git status",
    "下一步",
    "接下来",
    "阻塞",
    "次にやること",
    "次のステップ",
    "次の作業",
    "ブロッカー",
    "다음 작업",
    "다음 단계",
    "다음에 할 일",
    "막힌",
    "블로커",
    "следующие шаги",
    "следующий шаг",
    "блокеры",
    "próximos passos",
    "próximo passo",
    "próximos pasos",
    "próximo paso",
    "siguientes pasos",
    "siguiente paso",
    "bloqueios",
    "bloqueos",
    "bước tiếp theo",
    "việc tiếp theo",
    "vướng mắc",
    "nächste schritte",
    "nächster schritt",
    "sonraki adımlar",
    "sonraki adım",
    "engeller",
    "گام بعدی",
    "گامهای بعدی",
    "موانع",
    "prochaines étapes",
    "blocages",
    "decisions",
    "decision",
    "example",
    "sample",
    "output",
];

/// Words of a remark behind a heading that say that what stands below it is over; folded.
pub(super) const OVER: &[&str] = &[
    "resolved",
    "solved",
    "superseded",
    "obsolete",
    "outdated",
    "stale",
    "done",
    "completed",
    "complete",
    "cleared",
    "closed",
    "fixed",
    "old",
    "archived",
    "previous",
    "historical",
    "已解决",
    "已完成",
    "已过时",
    "解決済み",
    "完了",
    "해결됨",
    "완료",
    "решено",
    "решены",
    "устарело",
    "erledigt",
    "gelöst",
    "veraltet",
    "resuelto",
    "resueltos",
    "resolvido",
    "resolvidos",
    "obsoleto",
    "résolu",
    "résolus",
    "terminé",
    "çözüldü",
    "đã giải quyết",
    "حل شده",
];

/// Words that a heading about what was begins with; folded.
pub(super) const PAST_STARTS: &[&str] = &[
    "what shipped",
    "what landed",
    "what is done",
    "whats done",
    "what was done",
    "what we did",
    "what got done",
    "what got merged",
    "what got fixed",
    "whats merged",
    "what is merged",
    "completed",
    "merged",
    "shipped",
    "landed",
    "fixed",
    "bugs fixed",
    "resolved",
    "archived",
    "previous",
    "old",
    "earlier",
    "past",
    "historical",
    "superseded",
    "obsolete",
    "outdated",
    "expected output",
    "terminal output",
];

/// Words that make a heading one about the past or another time.
pub(super) const PAST_WORDS: &[&str] = &[
    "resolved",
    "solved",
    "past",
    "former",
    "previous",
    "cleared",
    "old",
    "completed",
    "fixed",
    "closed",
    "unblocked",
    "no",
    "not",
    "deferred",
    "done",
    "later",
    "已解决",
    "已解除",
    "解決済み",
    "解消",
    "해결된",
    "해결됨",
    "решенные",
    "решены",
    "снятые",
    "resolvidos",
    "resueltos",
    "resolvido",
    "resuelto",
    "đã giải quyết",
    "gelöste",
    "behobene",
    "erledigte",
    "çözülen",
    "çözüldü",
    "برطرف",
    "حلشده",
    "حل شده",
    "résolus",
];

/// Words that join two names in one heading.
pub(super) const AND_WORDS: &[&str] =
    &[" and ", " or ", " und ", " y ", " e ", " и ", " ve ", " và ", " و ", "与", "和", "及", "と", " 및 "];

/// Words for one sitting in a log.
pub(super) const SITTINGS: &[&str] = &[
    "session",
    "sitting",
    "entry",
    "day",
    "shift",
    "handoff",
    "handover",
    "update",
    "round",
    "sprint",
    "会话",
    "會話",
    "次",
    "回",
    "セッション",
    "세션",
    "회차",
    "сессия",
    "смена",
    "запись",
    "sessão",
    "sesión",
    "phiên",
    "sitzung",
    "schicht",
    "eintrag",
    "oturum",
    "vardiya",
    "نشست",
    "جلسه",
];

/// Words before the number of a step in a heading; folded.
pub(super) const STEPS: &[&str] = &[
    "p",
    "priority",
    "prio",
    "priorität",
    "prioridad",
    "prioridade",
    "приоритет",
    "优先级",
    "優先度",
    "우선순위",
    "step",
    "task",
    "action",
    "item",
    "schritt",
    "aufgabe",
    "paso",
    "tarea",
    "passo",
    "tarefa",
    "étape",
    "шаг",
    "задача",
    "bước",
    "adım",
    "گام",
    "步",
    "步骤",
    "步驟",
    "ステップ",
    "手順",
    "단계",
];

/// Names of the column that holds a step, in tables of next steps; folded.
pub(super) const STEP_COLUMNS: &[&str] = &[
    "task",
    "step",
    "action",
    "item",
    "what",
    "todo",
    "next step",
    "description",
    "next action",
    "work",
    "任务",
    "任務",
    "步骤",
    "事项",
    "内容",
    "作業",
    "タスク",
    "手順",
    "やること",
    "작업",
    "할 일",
    "내용",
    "задача",
    "шаг",
    "действие",
    "что",
    "tarefa",
    "passo",
    "ação",
    "tarea",
    "paso",
    "acción",
    "việc",
    "công việc",
    "bước",
    "aufgabe",
    "schritt",
    "was",
    "iş",
    "görev",
    "adım",
    "کار",
    "گام",
    "وظیفه",
    "blocker",
    "issue",
    "problem",
    "detail",
    "details",
];

/// Words before a name in code that say: this is some other branch or commit.
pub(super) const OTHERS: &[&str] = &[
    "merge",
    "merged",
    "merging",
    "rebase",
    "rebased",
    "into",
    "from",
    "base",
    "target",
    "onto",
    "delete",
    "deleted",
    "since",
    "after",
    "before",
    "old",
    "previous",
    "parent",
    "reverted",
    "revert",
    "not",
    "never",
    "default",
    "upstream",
    "against",
    "until",
    "other",
    "another",
    "via",
    "unlike",
    "abandoned",
    "influir",
    "слить",
    "слита",
    "влита",
    "базовая",
    "база",
    "базы",
    "удалена",
    "от",
    "до",
    "из",
    "не",
    "старая",
    "base",
    "desde",
    "antigua",
    "antiga",
    "hasta",
    "até",
    "von",
    "nach",
    "nicht",
    "alter",
    "alte",
    "gelöscht",
    "aus",
    "eski",
    "değil",
    "cũ",
    "từ",
    "không",
    "قدیمی",
    "از",
];

/// Words of a sentence that speaks of what may come or must not be; folded.
pub(super) const TO_COME: &[&str] = &[
    "if",
    "will",
    "would",
    "could",
    "should",
    "might",
    "never",
    "create",
    "later",
    "future",
    "eventually",
    "dont",
    "cannot",
    "once",
    "unless",
    "werden",
    "wird",
    "soll",
    "sollte",
    "falls",
    "wenn",
    "crear",
    "creará",
    "criar",
    "si",
    "если",
    "будет",
    "будем",
    "создать",
    "nếu",
    "sẽ",
    "olacak",
    "اگر",
];

/// Words behind a branch that say that work on it is over.
pub(in crate::handoff) const LEFT: &[&str] = &[
    "merged",
    "deleted",
    "removed",
    "gone",
    "closed",
    "abandoned",
    "dropped",
    "renamed",
    "gelöscht",
    "gemergt",
    "eliminada",
    "fusionada",
    "mesclada",
    "apagada",
    "supprimée",
    "fusionnée",
    "удалена",
    "слита",
    "влита",
    "silindi",
    "删除",
    "合并",
    "刪除",
    "合併",
    "削除",
    "マージ",
    "삭제",
    "병합",
];

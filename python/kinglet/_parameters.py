"""Generated from the registry by python3 -m kinglet._generate: change that, or the library, instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np


class ClassifierParameters:
    """The parameters of KernelClassifier."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        query: Literal["all", "ramp", "greedy"] | None = None,
        query_budget: int | None = None,
        query_window: int | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        passes: int | Literal["auto"] = "auto",
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        query : {"all", "ramp", "greedy"}
            whose label to ask for: of all, of those whose score is within the ramp (certainty at most 1), or of the
            least certain of every query_window. Default all.
        query_budget : int
            how many labels may be asked for; 0: no limit. Default 0; 0 … 1000000000000000.
        query_window : int
            of how many examples in a row the least certain one is asked for. Default 5; 1 … 1000000000000000.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        passes : int | {"auto"}, default "auto"
            how often `fit` goes over the rows. auto: once from 50000 rows on, more often where there are fewer, up to
            20 times; once where an algorithm keeps the examples.
        shuffle : bool, default True
            whether `fit` takes the rows in random order, another one in each pass.
        class_weight : Mapping[Any, float] | {"balanced"}
            how much an example of a class counts; balanced: each class as much as any other.
        random_state : int | np.random.RandomState
            seed of everything random; None: another one each time.
        n_jobs : int
            threads that predict, which changes no result; -1: all cores. None is 1.
        verbose : int, default 0
            1: a progress bar while learning (of tqdm, if it is installed).
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.query = query
        self.query_budget = query_budget
        self.query_window = query_window
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.passes = passes
        self.shuffle = shuffle
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RegressorParameters:
    """The parameters of KernelRegressor."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        epsilon: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        passes: int | Literal["auto"] = "auto",
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        epsilon : float
            errors up to this size are not counted. Default 0.1; ≥ 0.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        passes : int | {"auto"}, default "auto"
            how often `fit` goes over the rows. auto: once from 50000 rows on, more often where there are fewer, up to
            20 times; once where an algorithm keeps the examples.
        shuffle : bool, default True
            whether `fit` takes the rows in random order, another one in each pass.
        random_state : int | np.random.RandomState
            seed of everything random; None: another one each time.
        n_jobs : int
            threads that predict, which changes no result; -1: all cores. None is 1.
        verbose : int, default 0
            1: a progress bar while learning (of tqdm, if it is installed).
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.epsilon = epsilon
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class DetectorParameters:
    """The parameters of NoveltyDetector."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        nu: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        passes: int | Literal["auto"] = "auto",
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        nu : float
            share of the stream to be called novel. Default 0.05; 0 … 1.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        passes : int | {"auto"}, default "auto"
            how often `fit` goes over the rows. auto: once from 50000 rows on, more often where there are fewer, up to
            20 times; once where an algorithm keeps the examples.
        shuffle : bool, default True
            whether `fit` takes the rows in random order, another one in each pass.
        random_state : int | np.random.RandomState
            seed of everything random; None: another one each time.
        n_jobs : int
            threads that predict, which changes no result; -1: all cores. None is 1.
        verbose : int, default 0
            1: a progress bar while learning (of tqdm, if it is installed).
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.nu = nu
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RiverClassifierParameters:
    """The parameters of river.KernelClassifier."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        query: Literal["all", "ramp", "greedy"] | None = None,
        query_budget: int | None = None,
        query_window: int | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        warm_up: int = 64,
        seed: int | None = None,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        query : {"all", "ramp", "greedy"}
            whose label to ask for: of all, of those whose score is within the ramp (certainty at most 1), or of the
            least certain of every query_window. Default all.
        query_budget : int
            how many labels may be asked for; 0: no limit. Default 0; 0 … 1000000000000000.
        query_window : int
            of how many examples in a row the least certain one is asked for. Default 5; 1 … 1000000000000000.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        warm_up : int, default 64
            how many rows to keep before learning starts: scaling and gamma are taken from them.
        seed : int
            seed of everything random; None: another one each time.
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.query = query
        self.query_budget = query_budget
        self.query_window = query_window
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.warm_up = warm_up
        self.seed = seed


class RiverRegressorParameters:
    """The parameters of river.KernelRegressor."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        epsilon: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        warm_up: int = 64,
        seed: int | None = None,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        epsilon : float
            errors up to this size are not counted. Default 0.1; ≥ 0.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        warm_up : int, default 64
            how many rows to keep before learning starts: scaling and gamma are taken from them.
        seed : int
            seed of everything random; None: another one each time.
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.epsilon = epsilon
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.warm_up = warm_up
        self.seed = seed


class RiverDetectorParameters:
    """The parameters of river.NoveltyDetector."""

    def __init__(
        self,
        *,
        algo: Literal["bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron", "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron", "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1", "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm", "svm"] | None = None,  # noqa: E501
        budget: int | Literal["auto"] | None = None,
        kernel: Literal["rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"] | None = None,
        gamma: float | Literal["auto"] | None = None,
        lambda_: float | None = None,
        C: float | None = None,
        eta: float | None = None,
        nu: float | None = None,
        update: Literal["ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa", "auto"] | None = None,  # noqa: E501
        maintain: Literal["bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge", "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter", "tightest", "auto"] | None = None,  # noqa: E501
        output: Literal["last", "average"] | None = None,
        memory: str | None = None,
        scale: Literal["standard", "minmax", "unit", "none"] | None = None,
        storage: Literal["dense", "sparse", "auto"] | None = None,
        margin: float | None = None,
        radius: float | None = None,
        loss: Literal["hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"] | None = None,
        G: float | None = None,
        spa_alpha: float | None = None,
        spa_beta: float | None = None,
        expected_budget: int | None = None,
        stream_length: int | None = None,
        clip: float | None = None,
        distill_margin: float | Literal["auto"] | None = None,
        forgetron: Literal["self-tuned", "basic"] | None = None,
        merge_pairs: int | None = None,
        project_choice: Literal["smallest", "best"] | None = None,
        threshold: float | None = None,
        bias: bool | None = None,
        cache: str | None = None,
        tolerance: float | None = None,
        least_gain: float | None = None,
        keep_non_sv: float | None = None,
        band: float | None = None,
        coef0: float | None = None,
        degree: int | None = None,
        warm_up: int = 64,
        seed: int | None = None,
    ) -> None:
        """None stands for the default of the algorithm.

        Parameters
        ----------
        algo : {"bpegasos", "bnorma", "bmp", "stoptron", "rbp", "forgetron", "budget-perceptron",
            "budget-perceptron-variable", "budget-mira", "budget-mira-variable", "tighter", "tightest", "projectron",
            "projectron++", "bpa-s", "bpa-nn", "bpa-p", "spa", "silk", "bogd", "bogd++", "perceptron", "mira", "pa1",
            "ogd", "norma", "pegasos", "mp", "oskl", "onlinesvmr", "onlineasvmr", "svmr", "idsvm", "tvm", "lasvm",
            "svm"}
            the algorithm: an update rule with a budget rule, or a dual learner (bnorma for novelty detection, bmp for
            query ramp). Default bpegasos.
        budget : int | {"auto"}
            how many support vectors the model may hold; auto: as many as memory allows. Default 500; 1 … 100000000 or
            auto.
        kernel : {"rbf", "laplacian", "linear", "poly", "hpoly", "sigmoid"}
            the kernel. Default rbf.
        gamma : float | {"auto"}
            width of the kernel; auto: 1/median distance of the first examples. Default auto; > 0, ≤ 1e+30 or auto. For
            rbf, laplacian, poly, hpoly, sigmoid.
        lambda_ : float
            regularisation; smaller fits the data more closely. Default 1e-4; ≥ 0. For ilk, norma, ogd, pegasos.
        C : float
            the longest step; of a dual learner, how much an error costs. Default 1; > 0.
        eta : float
            learning rate. Default 1; > 0. For ilk, mp, norma, ogd, oskl, spa.
        nu : float
            share of the stream to be called novel. Default 0.05; 0 … 1.
        update : {"ilk", "mira", "mp", "norma", "ogd", "oskl", "pa", "pa1", "pa2", "pegasos", "perceptron", "spa",
            "auto"}
            update rule; auto: as the algorithm says. Default auto.
        maintain : {"bogd", "bogd++", "bpa-nn", "bpa-p", "bpa-s", "distill", "forget", "largest-margin", "merge",
            "none", "oldest", "project", "projectron", "projectron++", "random", "smallest", "stop", "tighter",
            "tightest", "auto"}
            budget rule; auto: as the algorithm says. Default auto.
        output : {"last", "average"}
            the function that predicts: the last one, or the average over all rounds. Default last.
        memory : str
            memory the learner may hold, such as 64K or 2M, instead of a budget. Default none.
        scale : {"standard", "minmax", "unit", "none"}
            scaling learned along the stream: mean 0 and deviation 1, to [-1, 1], to norm 1, or none. Default standard.
        storage : {"dense", "sparse", "auto"}
            form of the support vectors; auto: by dimension and density of the first examples. Default auto.
        margin : float
            margin β up to which to learn. Default 0.01; > 0. For mira, perceptron.
        radius : float
            radius U of the ball that the model stays in. Default inf; > 0 or inf. For mp.
        loss : {"hinge", "squared-hinge", "logistic", "ramp", "epsilon", "squared", "auto"}
            loss that is descended; auto: hinge, or epsilon for task regress. Default auto. For norma, ogd, pegasos.
        G : float
            how much fewer examples are drawn than their slope says, with steps as much longer. Default 1; ≥ 1. For
            oskl.
        spa_alpha : float
            loss from which the chance grows no more. Default 1; > 0. For spa.
        spa_beta : float
            inverse of the largest chance, times alpha. Default 20; > 0. For spa.
        expected_budget : int
            support vectors to be expected, instead of --beta; 0: what beta makes of it. Default 0; 0 … 1000000000. For
            spa.
        stream_length : int
            examples to come, for --expected-budget; 0: as many as the data have, if that is known. Default 0; 0 …
            9007199254740992. For spa.
        clip : float
            largest weight of a term, in steps. Default 4; ≥ 1 or inf. For bogd, bogd++.
        distill_margin : float | {"auto"}
            margin β from which a vector is not needed; auto: the one that is learned up to. Default auto; > 0 or auto.
            For distill.
        forgetron : {"self-tuned", "basic"}
            how far to shrink: as far as the mistake bound asks, or always by the same rule. Default self-tuned. For
            forget.
        merge_pairs : int
            pairs to merge at once when the budget is full; then none for as many terms. Default 1; 1 … 100000000. For
            merge.
        project_choice : {"smallest", "best"}
            which term to project: that of least weight, or the one that loses least. Default smallest. For project.
        threshold : float
            distance η from the span of the support vectors up to which a vector is projected on it. Default 0.1; ≥ 0.
            For projectron, projectron++.
        bias : bool
            add a constant to f, which the regularisation leaves alone. Default false; true|false. For idsvm.
        cache : str
            memory for rows of the kernel matrix; more saves computing them again. Default 256M. For idsvm, lasvm,
            onlinesvmr, svm, svmr, tvm.
        tolerance : float
            how far from exact the optimality conditions may be. Default 1e-3; > 0. For lasvm, onlinesvmr, svm, svmr.
        least_gain : float
            end the optimisation too when the best step gains less; the paper has 1e-5. Default 0; ≥ 0. For onlinesvmr,
            svmr.
        keep_non_sv : float
            how many examples that are no support vectors to keep, those nearest to the boundary; inf: all. Default inf;
            ≥ 0 or inf. For onlinesvmr.
        band : float
            with a full budget, only examples with |f| up to this are learned. Default 1; > 0. For tvm.
        coef0 : float
            the constant inside a polynomial or sigmoid kernel. Default 1; number. For poly, sigmoid.
        degree : int
            degree of the polynomial. Default 3; 1 … 64. For poly, hpoly.
        warm_up : int, default 64
            how many rows to keep before learning starts: scaling and gamma are taken from them.
        seed : int
            seed of everything random; None: another one each time.
        """
        self.algo = algo
        self.budget = budget
        self.kernel = kernel
        self.gamma = gamma
        self.lambda_ = lambda_
        self.C = C
        self.eta = eta
        self.nu = nu
        self.update = update
        self.maintain = maintain
        self.output = output
        self.memory = memory
        self.scale = scale
        self.storage = storage
        self.margin = margin
        self.radius = radius
        self.loss = loss
        self.G = G
        self.spa_alpha = spa_alpha
        self.spa_beta = spa_beta
        self.expected_budget = expected_budget
        self.stream_length = stream_length
        self.clip = clip
        self.distill_margin = distill_margin
        self.forgetron = forgetron
        self.merge_pairs = merge_pairs
        self.project_choice = project_choice
        self.threshold = threshold
        self.bias = bias
        self.cache = cache
        self.tolerance = tolerance
        self.least_gain = least_gain
        self.keep_non_sv = keep_non_sv
        self.band = band
        self.coef0 = coef0
        self.degree = degree
        self.warm_up = warm_up
        self.seed = seed
